package io.whizbang.benchmarks;

import java.util.List;
import java.util.function.Consumer;

/**
 * Something that stores messages in a transaction and delivers them later.
 */
public interface Contender extends AutoCloseable {

	String name();

	/**
	 * Stores a message in the transaction of the calling thread.
	 * @param stream its ordering key
	 * @param payload its payload as JSON
	 */
	void enqueue(String stream, Payload payload);

	/** Stores messages as fast as possible, to be drained later. */
	void load(List<Payload> payloads);

	/**
	 * Starts to deliver.
	 * @param delivered gets every delivered payload
	 */
	void start(Consumer<Payload> delivered);

	void stop();

	/** Tells that the transaction of the calling thread has committed. */
	default void committed() {
	}

	@Override
	void close();

}

package io.whizbang.perspective;

import java.util.List;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;

/**
 * A read model with full control. Whatever it writes to the database commits together
 * with the note of how far it has come, or not at all.
 */
public interface PerspectiveHandler {

	/**
	 * Returns the name, under which its progress is kept.
	 * @return the name
	 */
	String name();

	/**
	 * Returns the version of the code. A higher one than the one that serves builds its
	 * model anew, beside it, and then takes its place.
	 * @return the version, from 1
	 */
	default int version() {
		return 1;
	}

	/**
	 * Says whether the model is one over all streams: its events then come one after the
	 * other, on one instance.
	 * @return whether it is
	 */
	default boolean global() {
		return false;
	}

	/**
	 * Returns into how many parts the streams are divided, which is how many instances
	 * can take part. Counts for new runs only, and not for a global perspective.
	 * @return the number
	 */
	default int shards() {
		return 16;
	}

	/**
	 * Returns how many parts one instance works on at once.
	 * @return the number
	 */
	default int concurrency() {
		return 1;
	}

	/**
	 * Returns which events it wants.
	 * @return the interest
	 */
	Interest interest();

	/**
	 * Applies an event, in the transaction that also notes that it was applied.
	 * @param event the event
	 * @param run the run that it is applied to
	 * @throws Exception when it cannot be applied; its stream then waits and is tried
	 * again, the others go on
	 */
	void apply(StoredEvent event, PerspectiveRun run) throws Exception;

	/**
	 * Applies several events, in one transaction. Whoever writes many rows at once
	 * overrides this one.
	 * @param events the events, of several streams, in order
	 * @param run the run that they are applied to
	 * @throws Exception when they cannot be applied; smaller parts are then tried until
	 * it is clear which event is to blame
	 */
	default void applyAll(List<StoredEvent> events, PerspectiveRun run) throws Exception {
		for (StoredEvent event : events) {
			apply(event, run);
		}
	}

	/**
	 * Empties the model before it is rebuilt in place, in the transaction that begins the
	 * rebuild.
	 * @param run the run that ends
	 */
	default void reset(PerspectiveRun run) {
		throw new UnsupportedOperationException(
				("The perspective \"%s\" cannot be rebuilt in place because nothing says how to empty its model: "
						+ "implement reset(PerspectiveRun), or write a method with @OnReset")
					.formatted(run.name()));
	}

	/**
	 * Removes what one stream has brought into the model, before the stream is replayed.
	 * @param stream the stream
	 * @param run the run
	 */
	default void resetStream(StreamId stream, PerspectiveRun run) {
		throw new UnsupportedOperationException(
				("The stream \"%s\" cannot be replayed in the perspective \"%s\" because nothing says how to remove it "
						+ "from the model: implement resetStream(StreamId, PerspectiveRun), or write a method with "
						+ "@OnReset that takes a StreamId")
					.formatted(stream.key(), run.name()));
	}

	/**
	 * Creates what a new run needs, such as tables, in the transaction that begins the
	 * run.
	 * @param run the run that begins
	 */
	default void prepare(PerspectiveRun run) {
	}

	/**
	 * Removes what a run needed that serves no more, in a transaction of its own.
	 * @param run the run that has ended
	 */
	default void retire(PerspectiveRun run) {
	}

}

package io.whizbang.transport;

import java.util.List;

import io.whizbang.message.Envelope;

/**
 * A way out of the application: a broker, another service, anything. Written by the
 * application, or one of those that come with Whizbang.
 */
public interface Transport {

	/**
	 * Returns the name that routes refer to.
	 * @return the name, unique among the transports of an application
	 */
	String name();

	/**
	 * Sends messages and waits until the other side has them. All may be under way at
	 * once, but those of one stream must arrive in order: when one fails, no later one of
	 * its stream may count as sent.
	 * <p>
	 * An exception means that none was surely sent.
	 * @param messages the messages, each stream's in order
	 * @return what became of each, in the same order
	 */
	List<SendResult> send(List<Envelope> messages);

	/**
	 * Returns how many messages one call may get.
	 * @return the limit, at least 1
	 */
	default int batchSize() {
		return 500;
	}

	/**
	 * Returns whether it takes messages to topics that have neither a route nor a
	 * handler, when no other transport does.
	 * @return {@code false} for a transport that succeeds although nobody may listen
	 */
	default boolean takesUnroutedTopics() {
		return true;
	}

}

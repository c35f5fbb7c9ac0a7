package io.whizbang.work;

import java.time.Duration;

/**
 * Hears what the engine does, for metrics and logs. Called on hot paths: must be quick
 * and must not throw.
 */
public interface WorkListener {

	/** Hears nothing. */
	WorkListener NONE = new WorkListener() {
	};

	/** A round trip to the coordinator has ended well. */
	default void exchanged(Queue queue, int claimed, Duration took) {
	}

	/** A round trip to the coordinator, or another step of the loop, has failed. */
	default void roundFailed(Queue queue, Exception failure) {
	}

	/** A piece of work has ended. */
	default void ended(Queue queue, Work work, Outcome outcome) {
	}

	/** Claims were lost: their lease ended before the work did. */
	default void claimsLost(Queue queue, int count) {
	}

	/** Claims of vanished or stuck instances were recovered. */
	default void messagesRecovered(Queue queue, int count) {
	}

	/** The safety sweep found messages that nobody would have claimed: a bug. */
	default void orphansFound(Queue queue, int count) {
	}

	/** Members of joins were among what has ended, and that is committed. */
	default void membersEnded(Queue queue) {
	}

	/** Messages have arrived: some are new, others were known, or not what they seem. */
	default void received(Queue queue, int accepted, int duplicates, int conflicts) {
	}

	/** A message has come by that nobody handles. */
	default void unhandled(Queue queue, Work work) {
	}

}

package io.whizbang.worker;

import java.time.Duration;

import io.whizbang.work.Queue;

/**
 * How a worker stands, for health and people.
 *
 * @param queue its queue
 * @param state what it is doing
 * @param sinceLastRound how long ago it last spoke with the database
 * @param consecutiveFailures how many rounds have failed since
 * @param inFlight messages claimed and not ended
 * @param claims claims held
 * @param running calls of the handler under way
 * @param members how many instances share the queue, 0 when not known
 * @param rank its place among them, -1 when it has none
 * @param listening whether announcements of other instances arrive
 */
public record WorkerStatus(Queue queue, State state, Duration sinceLastRound, int consecutiveFailures, int inFlight,
		int claims, int running, int members, int rank, boolean listening) {

	/** What a worker may be doing. */
	public enum State {

		/** Claims and handles messages. */
		RUNNING,

		/** Claims nothing more, and lets running work end. */
		STOPPING,

		/** Was told to pause; others do its share. */
		PAUSED,

		/** Does nothing. */
		STOPPED,

		/** Has nobody to hand messages to, and leaves them to other instances. */
		UNUSED

	}

}

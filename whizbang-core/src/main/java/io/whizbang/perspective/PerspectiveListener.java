package io.whizbang.perspective;

import java.time.Duration;

import io.whizbang.message.StreamId;

/**
 * Hears what perspectives do, for metrics, logs and tests. Called on their threads: must
 * be quick, and what it throws is ignored.
 */
public interface PerspectiveListener {

	/** Hears nothing. */
	PerspectiveListener NONE = new PerspectiveListener() {
	};

	/** There is work, after there was none. */
	default void started() {
	}

	/** There was nothing to do for two polls in a row. */
	default void idle() {
	}

	/** The database was not ready, so many times in a row. */
	default void notReady(int misses) {
	}

	/** Events were applied or passed, and that is committed. */
	default void applied(PerspectiveRun run, int applied, int passed, Duration took) {
	}

	/** A stream has failed and waits for its next try. */
	default void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
	}

	/** A stream has failed too often, or for good. */
	default void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
	}

	/** A stream follows the feed again after a failure. */
	default void recovered(PerspectiveRun run, StreamId stream) {
	}

	/** A page was rolled back because a shard was not this instance's any more. */
	default void shardLost(PerspectiveRun run) {
	}

	/** A round, or a page, has failed for a reason that passes. */
	default void roundFailed(Throwable failure) {
	}

	/** A run that was built beside another one serves now. */
	default void switched(PerspectiveRun from, PerspectiveRun to) {
	}

}

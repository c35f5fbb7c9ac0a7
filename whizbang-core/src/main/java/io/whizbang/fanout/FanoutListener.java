package io.whizbang.fanout;

import java.time.Duration;

/**
 * Hears what becomes of fan-outs, for metrics, logs and tests. Called on the worker's
 * threads: must be quick, and what it throws is ignored.
 */
public interface FanoutListener {

	/** Hears nothing. */
	FanoutListener NONE = new FanoutListener() {
	};

	/** A page of candidates was planned, and that is committed. */
	default void planned(String topic, int slices) {
	}

	/** A run has ended: how late it began, and how long it took. */
	default void ran(String topic, Duration lateness, Duration took) {
	}

	/** A run has failed. */
	default void failed(String topic, Throwable failure) {
	}

	/** A candidate was left out because something is wrong with it. */
	default void refused(String topic, String problem) {
	}

	/**
	 * A slice is done, and that is committed: how late it began, and how long it took.
	 */
	default void completed(FanoutSlice slice, Duration lateness, Duration took) {
	}

	/** A slice came whose window was completed already. */
	default void repeated(FanoutSlice slice) {
	}

	/** A round has failed. */
	default void roundFailed(Throwable failure) {
	}

}

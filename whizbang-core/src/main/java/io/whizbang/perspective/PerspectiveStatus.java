package io.whizbang.perspective;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a run of a perspective stands.
 *
 * @param run the run
 * @param state what it does
 * @param paused whether somebody has paused the perspective
 * @param shards into how many parts it is divided
 * @param held how many of them an instance works on now
 * @param done how many positions of the events it has behind it, on average over its
 * parts
 * @param total how many positions there are
 * @param behind how many positions the part that is most behind has before it
 * @param retrying how many streams wait for their next try, counted up to 10 000
 * @param dead how many streams have stopped for good, counted up to 10 000
 * @param rate positions per second, as seen by this instance; 0 when it does not know
 * @param timeLeft how long it takes at that rate, or {@code null} when it is not known
 * @param startedAt when the run began
 * @param movedAt when it last moved
 */
public record PerspectiveStatus(PerspectiveRun run, State state, boolean paused, int shards, int held, long done,
		long total, long behind, int retrying, int dead, double rate, @Nullable Duration timeLeft, Instant startedAt,
		@Nullable Instant movedAt) {

	PerspectiveStatus with(double rate) {
		Duration left = (rate > 0) ? Duration.ofMillis((long) (1000 * Math.max(0, this.total - this.done) / rate))
				: null;
		return new PerspectiveStatus(this.run, this.state, this.paused, this.shards, this.held, this.done, this.total,
				this.behind, this.retrying, this.dead, rate, left, this.startedAt, this.movedAt);
	}

	/** What a run does. */
	public enum State {

		/** It catches up beside the one that serves. */
		BUILDING,

		/** It is the model that the application reads. */
		SERVING

	}

}

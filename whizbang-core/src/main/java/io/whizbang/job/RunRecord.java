package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a run.
 *
 * @param id its number
 * @param job the job
 * @param scheduledAt the time that it is for; of a triggered run, when that was
 * @param triggered whether somebody triggered it
 * @param status how it stands
 * @param attempts how often it was started
 * @param dueAt when it may go at the earliest
 * @param startedAt when its last try began
 * @param endedAt when it was over
 * @param error why its last try failed, or why it was skipped
 * @param instance where it ran last
 */
public record RunRecord(long id, String job, Instant scheduledAt, boolean triggered, RunStatus status, int attempts,
		Instant dueAt, @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable String error,
		@Nullable String instance) {

	/**
	 * Returns how long its last try took.
	 * @return the time, or {@code null} when it is not over, or was never started
	 */
	public @Nullable Duration duration() {
		return (this.startedAt != null && this.endedAt != null) ? Duration.between(this.startedAt, this.endedAt) : null;
	}

}

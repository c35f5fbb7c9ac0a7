package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A run that is this instance's for now.
 *
 * @param run what its handler sees
 * @param handler which handler
 * @param payload what it gets, as JSON
 * @param retry what happens when it fails
 * @param startedAt when it was claimed, by the database's clock
 */
record ClaimedRun(JobRun run, String handler, @Nullable String payload, RetryPolicy retry, Instant startedAt) {

	Duration lateness() {
		return Duration.between(this.run.scheduledAt(), this.startedAt);
	}

}

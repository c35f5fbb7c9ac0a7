package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a fan-out stands.
 *
 * @param topic its topic
 * @param cron when its planner is asked, or {@code null}
 * @param interval how often that is instead, or {@code null}
 * @param zone time zone of the cron expression
 * @param nextRun when its planner is asked the next time; in the past while that goes on
 * @param retryAt when a run that failed is tried again
 * @param startedAt when the last run began
 * @param endedAt when the last run ended, or {@code null} while it goes on
 * @param lastUntil until when the windows of the last run that succeeded go
 * @param candidates how many candidates that run had
 * @param planned how many of them were due
 * @param failures how often in a row runs have failed
 * @param problem why the last run failed, or what was wrong with one of its candidates
 * @param plannerPresent whether this instance has the planner
 * @param seenAt when an instance that has it last said so
 * @param unseen how long ago that is
 * @param definedBy which service defined it last
 */
public record FanoutTopic(String topic, @Nullable String cron, @Nullable Duration interval, String zone,
		Instant nextRun, @Nullable Instant retryAt, @Nullable Instant startedAt, @Nullable Instant endedAt,
		@Nullable Instant lastUntil, @Nullable Long candidates, @Nullable Long planned, int failures,
		@Nullable String problem, boolean plannerPresent, @Nullable Instant seenAt, Duration unseen, String definedBy) {

	private static final Duration LONG_UNSEEN = Duration.ofMinutes(3);

	/**
	 * Says whether no instance seems to have the planner, so that nothing is planned.
	 * @return whether that is so
	 */
	public boolean isPlannerMissing() {
		return !this.plannerPresent && this.unseen.compareTo(LONG_UNSEEN) > 0;
	}

	/**
	 * Says whether its runs fail.
	 * @return whether the last one did
	 */
	public boolean isFailing() {
		return this.failures > 0;
	}

}

package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a job stands.
 *
 * @param name its name
 * @param handler which handler runs, or {@code null}
 * @param topic where a message is sent, or {@code null}
 * @param cron its cron expression, or {@code null}
 * @param every its interval, or {@code null}
 * @param zone the time zone of its cron expression
 * @param enabled whether its definition lets it fire
 * @param paused whether somebody has stopped it
 * @param misfire what becomes of missed times
 * @param catchUpMax how many missed times are made up for at most
 * @param overlap whether its runs may overlap
 * @param nextRun when it fires next, or {@code null} when it does not
 * @param lastFired the time that it fired for last, or {@code null}
 * @param openRuns how many of its runs are not over
 * @param failing whether its last run that is over has failed
 * @param lastRun its newest run, or {@code null}
 * @param problem why it cannot fire, or {@code null}
 * @param handlerPresent whether this instance can run it
 * @param handlerSeenAt when an instance was there that can run it, or {@code null}
 * @param handlerUnseen how long ago that was, or since when it waits for one
 * @param definedBy which application defined it
 * @param updatedAt when its definition changed
 */
public record JobStatus(String name, @Nullable String handler, @Nullable String topic, @Nullable String cron,
		@Nullable Duration every, String zone, boolean enabled, boolean paused, Misfire misfire, int catchUpMax,
		boolean overlap, @Nullable Instant nextRun, @Nullable Instant lastFired, int openRuns, boolean failing,
		@Nullable RunRecord lastRun, @Nullable String problem, boolean handlerPresent, @Nullable Instant handlerSeenAt,
		Duration handlerUnseen, String definedBy, Instant updatedAt) {

	private static final Duration LONG = Duration.ofMinutes(3);

	/**
	 * Says whether the job waits for code that no instance has.
	 * @return whether nobody has been able to run it for some minutes
	 */
	public boolean isHandlerMissing() {
		return this.handler != null && !this.handlerPresent && this.handlerUnseen.compareTo(LONG) > 0;
	}

}

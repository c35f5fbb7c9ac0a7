package io.whizbang.fanout;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What is configured for one topic, and wins over what its planner says.
 *
 * @param enabled whether its planner is asked
 * @param cron when it is asked, or {@code null}
 * @param zone time zone of that expression, or {@code null}
 * @param interval how often it is asked instead, or {@code null}
 * @param every how often its slices are due, or {@code null}
 * @param jitter by how much its slices are spread, or {@code null}
 * @param pageSize how many of its candidates are planned in one transaction, or
 * {@code null}
 */
public record FanoutTopicSettings(boolean enabled, @Nullable String cron, @Nullable String zone,
		@Nullable Duration interval, @Nullable Duration every, @Nullable Duration jitter, @Nullable Integer pageSize) {

	static final FanoutTopicSettings NOTHING = new FanoutTopicSettings(true, null, null, null, null, null, null);

	public FanoutTopicSettings {
		Assert.isTrue(cron == null || interval == null,
				() -> "A fan-out is asked either by the cron expression \"%s\" or every %s, not both".formatted(cron,
						interval));
		Assert.isTrue(pageSize == null || (pageSize > 0 && pageSize <= FanoutSettings.MAX_PAGE),
				() -> "pageSize must be between 1 and %d but is %d".formatted(FanoutSettings.MAX_PAGE, pageSize));
	}

	/** A policy that is configured is that of all work keys. */
	FanoutSchedule adjust(FanoutSchedule schedule) {
		FanoutPolicy policy = new FanoutPolicy((this.every != null) ? this.every : schedule.policy().every(),
				(this.jitter != null) ? this.jitter : schedule.policy().jitter());
		boolean timed = this.cron != null || this.interval != null;
		return new FanoutSchedule(timed ? this.cron : schedule.cron(), timed ? this.interval : schedule.interval(),
				(this.zone != null) ? this.zone : schedule.zone(), policy,
				(this.every != null || this.jitter != null) ? Map.of() : schedule.workKeys());
	}

}

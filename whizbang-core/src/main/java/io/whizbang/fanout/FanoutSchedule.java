package io.whizbang.fanout;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import io.whizbang.schedule.Cadence;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * When a planner is asked for candidates, and which of them are due then.
 *
 * @param cron the times to ask at, or {@code null}
 * @param interval how often to ask instead, or {@code null}
 * @param zone time zone of the cron expression
 * @param policy how often slices are due
 * @param workKeys the same for single work keys
 */
public record FanoutSchedule(@Nullable String cron, @Nullable Duration interval, String zone, FanoutPolicy policy,
		Map<String, FanoutPolicy> workKeys) {

	public FanoutSchedule {
		workKeys = Map.copyOf(workKeys);
		workKeys.keySet().forEach(FanoutLimits::checkWorkKey);
		Assert.isTrue(cron != null || interval != null, "A fan-out needs a cron expression or an interval");
		Cadence.of(cron, interval, zone);
	}

	/**
	 * Returns every five minutes, with the usual policy.
	 * @return the schedule
	 */
	public static FanoutSchedule defaults() {
		return new FanoutSchedule("*/5 * * * *", null, "UTC", FanoutPolicy.defaults(), Map.of());
	}

	/**
	 * Returns this schedule with other times.
	 * @param cron five fields, six with the second before them, or a macro
	 * @param zone name of the time zone
	 * @return the schedule
	 */
	public FanoutSchedule withCron(String cron, String zone) {
		return new FanoutSchedule(cron, null, zone, this.policy, this.workKeys);
	}

	/**
	 * Returns this schedule with an interval instead of times.
	 * @param interval the interval
	 * @return the schedule
	 */
	public FanoutSchedule withInterval(Duration interval) {
		return new FanoutSchedule(null, interval, this.zone, this.policy, this.workKeys);
	}

	/**
	 * Returns this schedule with another policy for all work keys that have none of their
	 * own.
	 * @param every how long after the end of its last window a shard's work is due
	 * @param jitter by how much slices are spread
	 * @return the schedule
	 */
	public FanoutSchedule withPolicy(Duration every, Duration jitter) {
		return new FanoutSchedule(this.cron, this.interval, this.zone, new FanoutPolicy(every, jitter), this.workKeys);
	}

	/**
	 * Returns this schedule with another policy for a work key.
	 * @param workKey the work key
	 * @param every how long after the end of its last window a shard's work is due
	 * @param jitter by how much slices are spread
	 * @return the schedule
	 */
	public FanoutSchedule withPolicy(String workKey, Duration every, Duration jitter) {
		Map<String, FanoutPolicy> policies = new TreeMap<>(this.workKeys);
		policies.put(workKey, new FanoutPolicy(every, jitter));
		return new FanoutSchedule(this.cron, this.interval, this.zone, this.policy, policies);
	}

	Cadence cadence() {
		return Cadence.of(this.cron, this.interval, this.zone);
	}

	/** Returns what the code says about a work key, or about all of them. */
	@Nullable FanoutPolicy policy(String workKey) {
		return workKey.equals(FanoutLimits.ALL) ? this.policy : this.workKeys.get(workKey);
	}

}

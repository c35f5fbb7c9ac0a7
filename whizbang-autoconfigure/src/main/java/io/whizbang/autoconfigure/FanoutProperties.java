package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.whizbang.fanout.FanoutPolicy;
import io.whizbang.fanout.FanoutSchedule;
import io.whizbang.fanout.FanoutSettings;
import io.whizbang.fanout.FanoutTopicSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of fan-outs. They need the outbox and leases.
 *
 * @param enabled Whether to enable fan-outs.
 * @param cron When planners are asked that do not say so themselves.
 * @param zone Time zone of that expression.
 * @param every Time after which a shard's work is due again, counted from the end of its
 * last window, unless its planner or somebody at run time says otherwise.
 * @param jitter Longest time by which a slice is delayed, so that slices do not all come
 * at once, unless its planner or somebody at run time says otherwise.
 * @param abandonAfter Time after which a slice that is under way and not among the dead
 * letters is planned again.
 * @param keepCursors Time that cursors are kept for which nothing is planned any more.
 * @param topics What is different for single topics. It wins over what their planners
 * say.
 * @param worker How this instance asks planners.
 */
@ConfigurationProperties("whizbang.fanout")
public record FanoutProperties(@DefaultValue("true") boolean enabled, @DefaultValue("*/5 * * * *") String cron,
		@DefaultValue("UTC") String zone, @DefaultValue("5m") Duration every, @DefaultValue("1m") Duration jitter,
		@DefaultValue("1d") Duration abandonAfter, @DefaultValue("400d") Duration keepCursors,
		@DefaultValue Map<String, Topic> topics, @DefaultValue Worker worker) {

	private static final String PREFIX = "whizbang.fanout.";

	private static final Duration SHORTEST_KEEP = Duration.ofDays(367);

	public FanoutProperties {
		Requirement.notNegative(PREFIX + "every", every);
		Requirement.notNegative(PREFIX + "jitter", jitter);
		Requirement.positive(PREFIX + "abandon-after", abandonAfter);
		Requirement.atLeast(PREFIX + "keep-cursors", SHORTEST_KEEP, keepCursors);
		topics.forEach((name, topic) -> topic.check(PREFIX + "topics." + name + "."));
		worker.check(PREFIX + "worker.");
	}

	FanoutSettings toSettings() {
		FanoutSchedule schedule = new FanoutSchedule(this.cron, null, this.zone,
				new FanoutPolicy(this.every, this.jitter), Map.of());
		return new FanoutSettings(schedule, this.worker.pageSize(), this.worker.lease(), this.abandonAfter,
				this.keepCursors, this.worker.concurrency(), this.worker.maxPollInterval(),
				this.worker.listeningPollInterval(), topicSettings());
	}

	private Map<String, FanoutTopicSettings> topicSettings() {
		Map<String, FanoutTopicSettings> settings = new HashMap<>();
		this.topics.forEach((name, topic) -> settings.put(name, topic.toSettings()));
		return settings;
	}

	/**
	 * What is different for one topic.
	 *
	 * @param enabled Whether its planner is asked.
	 * @param cron When its planner is asked.
	 * @param zone Time zone of that expression.
	 * @param interval How often its planner is asked, instead of a cron expression.
	 * @param every Time after which a shard's work is due again, for all its work keys.
	 * @param jitter Longest time by which a slice is delayed, for all its work keys.
	 * @param pageSize Number of candidates that are planned in one transaction.
	 */
	public record Topic(@DefaultValue("true") boolean enabled, @Nullable String cron, @Nullable String zone,
			@Nullable Duration interval, @Nullable Duration every, @Nullable Duration jitter,
			@Nullable Integer pageSize) {

		void check(String prefix) {
			if (this.interval != null) {
				Requirement.positive(prefix + "interval", this.interval);
			}
			if (this.every != null) {
				Requirement.notNegative(prefix + "every", this.every);
			}
			if (this.jitter != null) {
				Requirement.notNegative(prefix + "jitter", this.jitter);
			}
			if (this.pageSize != null) {
				Requirement.atLeast(prefix + "page-size", 1, this.pageSize);
			}
		}

		FanoutTopicSettings toSettings() {
			return new FanoutTopicSettings(this.enabled, this.cron, this.zone, this.interval, this.every, this.jitter,
					this.pageSize);
		}

	}

	/**
	 * How one instance asks planners.
	 *
	 * @param enabled Whether this instance asks planners. Without it, and also for its
	 * own ones, that is left to other instances.
	 * @param concurrency Number of planners that this instance asks at once.
	 * @param pageSize Number of candidates that are planned in one transaction.
	 * @param lease Time that a run stays with an instance that does not answer any more.
	 * @param maxPollInterval Longest time between two looks while announcements of other
	 * instances do not arrive.
	 * @param listeningPollInterval Longest such time while announcements of other
	 * instances arrive.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("4") int concurrency,
			@DefaultValue("500") int pageSize, @DefaultValue("90s") Duration lease,
			@DefaultValue("5s") Duration maxPollInterval, @DefaultValue("1m") Duration listeningPollInterval) {

		void check(String prefix) {
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
			Requirement.atLeast(prefix + "page-size", 1, this.pageSize);
			Requirement.positive(prefix + "lease", this.lease);
			Requirement.positive(prefix + "max-poll-interval", this.maxPollInterval);
			Requirement.positive(prefix + "listening-poll-interval", this.listeningPollInterval);
		}

	}

}

package io.whizbang.fanout;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.springframework.util.Assert;

/**
 * How an instance goes about fan-outs.
 *
 * @param schedule when planners are asked, unless they say so themselves
 * @param pageSize how many candidates are planned in one transaction
 * @param lease how long a run stays with an instance that does not answer any more
 * @param abandonAfter how long a slice may be under way before it is planned again
 * without being a dead letter
 * @param keepCursors how long cursors are kept for which nothing is planned any more
 * @param concurrency how many planners are asked at once
 * @param maxPoll longest pause between two looks while nobody listens for announcements
 * @param listeningPoll longest such pause while the listener is healthy
 * @param topics what is configured for single topics
 */
public record FanoutSettings(FanoutSchedule schedule, int pageSize, Duration lease, Duration abandonAfter,
		Duration keepCursors, int concurrency, Duration maxPoll, Duration listeningPoll,
		Map<String, FanoutTopicSettings> topics) {

	static final int MAX_PAGE = 5000;

	public FanoutSettings {
		topics = Map.copyOf(topics);
		Assert.isTrue(pageSize > 0 && pageSize <= MAX_PAGE,
				() -> "pageSize must be between 1 and %d but is %d".formatted(MAX_PAGE, pageSize));
		Assert.isTrue(concurrency > 0, () -> "concurrency must be above 0 but is " + concurrency);
		positive(lease, "lease");
		positive(abandonAfter, "abandonAfter");
		positive(maxPoll, "maxPoll");
		positive(listeningPoll, "listeningPoll");
		Assert.isTrue(keepCursors.compareTo(FanoutPolicy.LONGEST) > 0,
				() -> "keepCursors must be above %s, which a policy may ask for, but is %s"
					.formatted(FanoutPolicy.LONGEST, keepCursors));
	}

	public static FanoutSettings defaults() {
		return new FanoutSettings(FanoutSchedule.defaults(), 500, Duration.ofSeconds(90), Duration.ofDays(1),
				Duration.ofDays(400), 4, Duration.ofSeconds(5), Duration.ofMinutes(1), Map.of());
	}

	public FanoutSettings withPageSize(int pageSize) {
		return new FanoutSettings(this.schedule, pageSize, this.lease, this.abandonAfter, this.keepCursors,
				this.concurrency, this.maxPoll, this.listeningPoll, this.topics);
	}

	public FanoutSettings withLease(Duration lease) {
		return new FanoutSettings(this.schedule, this.pageSize, lease, this.abandonAfter, this.keepCursors,
				this.concurrency, this.maxPoll, this.listeningPoll, this.topics);
	}

	/**
	 * Returns these settings with other pauses between looks.
	 * @param maxPoll the longest while nobody listens
	 * @param listeningPoll the longest while the listener is healthy
	 * @return the settings
	 */
	public FanoutSettings withPoll(Duration maxPoll, Duration listeningPoll) {
		return new FanoutSettings(this.schedule, this.pageSize, this.lease, this.abandonAfter, this.keepCursors,
				this.concurrency, maxPoll, listeningPoll, this.topics);
	}

	/**
	 * Returns these settings with what is configured for a topic.
	 * @param topic the topic
	 * @param settings what is configured
	 * @return the settings
	 */
	public FanoutSettings withTopic(String topic, FanoutTopicSettings settings) {
		Map<String, FanoutTopicSettings> all = new HashMap<>(this.topics);
		all.put(topic, settings);
		return new FanoutSettings(this.schedule, this.pageSize, this.lease, this.abandonAfter, this.keepCursors,
				this.concurrency, this.maxPoll, this.listeningPoll, all);
	}

	FanoutTopicSettings topic(String topic) {
		return this.topics.getOrDefault(topic, FanoutTopicSettings.NOTHING);
	}

	int pageSize(String topic) {
		Integer own = topic(topic).pageSize();
		return (own != null) ? own : this.pageSize;
	}

	private static void positive(Duration value, String name) {
		Assert.isTrue(!value.isNegative() && !value.isZero(), () -> name + " must be above 0 but is " + value);
	}

}

package io.whizbang.transport.kafka;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Topics of Kafka whose records are received, in one consumer group.
 *
 * @param topics the topics
 * @param group the consumer group
 * @param concurrency number of consumers in this instance
 * @param source what the records' identities are unique within, or {@code null} for one
 * source per topic
 * @param offsetReset where a group that never read a partition begins
 */
public record KafkaSubscription(List<String> topics, String group, int concurrency, @Nullable String source,
		OffsetReset offsetReset) {

	public KafkaSubscription {
		topics = List.copyOf(topics);
		Assert.notEmpty(topics, "A Kafka subscription must have at least one topic");
		Assert.hasText(group, "A Kafka subscription must have a consumer group");
		Assert.isTrue(concurrency >= 1,
				() -> "The concurrency of a Kafka subscription must be at least 1 but is " + concurrency);
	}

	String sourceOf(String topic) {
		return (this.source != null) ? this.source : "kafka:" + topic;
	}

	/**
	 * Where a group that never read a partition begins.
	 */
	public enum OffsetReset {

		/** With the oldest record there is. */
		EARLIEST,

		/** With the next record to come; what was there before is not received. */
		LATEST

	}

}

package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.Map;

import org.springframework.util.Assert;

/**
 * How messages are sent to Kafka. Both times are short, so that a dead broker gives the
 * lanes back soon; the outbox tries again by itself.
 *
 * @param maxBlock time that a send may wait for the first answer of a broker, or for room
 * in the producer's buffer
 * @param deliveryTimeout time in which the brokers must have acknowledged a message
 * @param topics Kafka's names by topic, or by pattern with {@code *}; a topic that is not
 * there is Kafka's name itself
 */
public record KafkaSettings(Duration maxBlock, Duration deliveryTimeout, Map<String, String> topics) {

	public KafkaSettings {
		Assert.isTrue(maxBlock.toMillis() > 0, () -> "maxBlock must be above 0 but is " + maxBlock);
		Assert.isTrue(deliveryTimeout.toMillis() > 0,
				() -> "deliveryTimeout must be above 0 but is " + deliveryTimeout);
		topics = Map.copyOf(topics);
	}

	public static KafkaSettings defaults() {
		return new KafkaSettings(Duration.ofSeconds(5), Duration.ofSeconds(15), Map.of());
	}

	public KafkaSettings withTopics(Map<String, String> topics) {
		return new KafkaSettings(this.maxBlock, this.deliveryTimeout, topics);
	}

	public KafkaSettings withTimes(Duration maxBlock, Duration deliveryTimeout) {
		return new KafkaSettings(maxBlock, deliveryTimeout, this.topics);
	}

}

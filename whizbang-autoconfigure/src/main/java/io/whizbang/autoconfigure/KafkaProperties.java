package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.whizbang.transport.kafka.KafkaSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How messages go to Kafka. Brokers, security and everything else about producers comes
 * from 'spring.kafka'.
 *
 * @param enabled Whether to send to Kafka and receive from it when the application has
 * it.
 * @param maxBlock Time that sending waits for the first answer of a broker, or for room
 * in the producer's buffer.
 * @param deliveryTimeout Time in which the brokers must have acknowledged a message;
 * after it, they count as unreachable.
 * @param topics Names that Kafka has for topics, by topic or by pattern with '*'. Other
 * topics have the same name there.
 */
@ConfigurationProperties("whizbang.kafka")
public record KafkaProperties(@DefaultValue("true") boolean enabled, @DefaultValue("5s") Duration maxBlock,
		@DefaultValue("15s") Duration deliveryTimeout, @DefaultValue Map<String, String> topics) {

	private static final String PREFIX = "whizbang.kafka.";

	public KafkaProperties {
		Requirement.positive(PREFIX + "max-block", maxBlock);
		Requirement.positive(PREFIX + "delivery-timeout", deliveryTimeout);
	}

	KafkaSettings toSettings() {
		return new KafkaSettings(this.maxBlock, this.deliveryTimeout, this.topics);
	}

}

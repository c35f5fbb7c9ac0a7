package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.transport.rabbit.RabbitSettings;
import io.whizbang.transport.rabbit.RabbitSettings.Ordering;
import io.whizbang.transport.rabbit.RabbitSettings.TopicTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How messages go to RabbitMQ. The server, security and everything else about connections
 * comes from 'spring.rabbitmq'.
 *
 * @param enabled Whether to send to RabbitMQ and receive from it when the application has
 * it.
 * @param exchange Exchange that takes the messages of all topics, with the topic as
 * routing key. If empty, a message goes to the queue that is named like its topic.
 * @param topics Exchange and routing key for single topics, or for patterns with '*'.
 * @param confirmTimeout Time in which the broker must have confirmed what it was sent.
 * @param ordering How much of a stream may be under way at once.
 */
@ConfigurationProperties("whizbang.rabbit")
public record RabbitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("") String exchange,
		@DefaultValue Map<String, Topic> topics, @DefaultValue("30s") Duration confirmTimeout,
		@DefaultValue("pipelined") Ordering ordering) {

	public RabbitProperties {
		Requirement.positive("whizbang.rabbit.confirm-timeout", confirmTimeout);
	}

	RabbitSettings toSettings() {
		Map<String, TopicTarget> targets = this.topics.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(topic) -> new TopicTarget(topic.getValue().exchange(), topic.getValue().routingKey())));
		return new RabbitSettings(this.exchange, targets, this.confirmTimeout, this.ordering);
	}

	/**
	 * Where the messages of a topic go.
	 *
	 * @param exchange Exchange. As for other topics if not set.
	 * @param routingKey Routing key. The topic if not set.
	 */
	public record Topic(@Nullable String exchange, @Nullable String routingKey) {

	}

}

package io.whizbang.transport.rabbit;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How messages go to RabbitMQ.
 *
 * @param exchange the exchange that takes what no topic says otherwise; empty for the
 * broker's default exchange, where the routing key is the name of a queue
 * @param topics what differs for single topics, or for patterns with '*'
 * @param confirmTimeout how long the broker may take to confirm what it was sent
 * @param ordering how much of a stream may be under way at once
 */
public record RabbitSettings(String exchange, Map<String, TopicTarget> topics, Duration confirmTimeout,
		Ordering ordering) {

	public RabbitSettings {
		topics = Map.copyOf(topics);
		Assert.isTrue(!confirmTimeout.isNegative() && !confirmTimeout.isZero(),
				() -> "confirmTimeout must be above 0 but is " + confirmTimeout);
	}

	/**
	 * Returns the default exchange for all topics, 30 s for a confirm, and pipelined
	 * streams.
	 * @return the settings
	 */
	public static RabbitSettings defaults() {
		return new RabbitSettings("", Map.of(), Duration.ofSeconds(30), Ordering.PIPELINED);
	}

	public RabbitSettings withExchange(String exchange) {
		return new RabbitSettings(exchange, this.topics, this.confirmTimeout, this.ordering);
	}

	public RabbitSettings withTopics(Map<String, TopicTarget> topics) {
		return new RabbitSettings(this.exchange, topics, this.confirmTimeout, this.ordering);
	}

	public RabbitSettings withConfirmTimeout(Duration confirmTimeout) {
		return new RabbitSettings(this.exchange, this.topics, confirmTimeout, this.ordering);
	}

	public RabbitSettings withOrdering(Ordering ordering) {
		return new RabbitSettings(this.exchange, this.topics, this.confirmTimeout, ordering);
	}

	/**
	 * Where the messages of a topic go.
	 *
	 * @param exchange the exchange, or {@code null} for the same as others
	 * @param routingKey the routing key, or {@code null} for the topic itself
	 */
	public record TopicTarget(@Nullable String exchange, @Nullable String routingKey) {

	}

	/** How much of a stream may be under way at once. */
	public enum Ordering {

		/**
		 * All of a stream that goes to one exchange and routing key is sent without
		 * waiting. When the broker refuses a message and takes a later one of its stream,
		 * the later one arrives first, and again behind it.
		 */
		PIPELINED,

		/**
		 * A message is sent when the broker has confirmed the one before it in its
		 * stream. Slower for streams with many messages at once.
		 */
		CONFIRMED

	}

}

package io.whizbang.transport.rabbit;

import io.whizbang.handler.TopicPatterns;
import io.whizbang.transport.rabbit.RabbitSettings.TopicTarget;

/**
 * Knows the exchange and the routing key of every topic.
 */
final class Targets {

	private final String exchange;

	private final TopicPatterns<TopicTarget> topics;

	Targets(RabbitSettings settings) {
		this.exchange = settings.exchange();
		this.topics = new TopicPatterns<>(settings.topics());
	}

	Target find(String topic) {
		TopicTarget own = this.topics.find(topic);
		if (own == null) {
			return new Target(this.exchange, topic);
		}
		return new Target((own.exchange() != null) ? own.exchange() : this.exchange,
				(own.routingKey() != null) ? own.routingKey() : topic);
	}

}

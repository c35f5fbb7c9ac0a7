package io.whizbang.sample.broker;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * The exchange and the queues in RabbitMQ.
 */
@Configuration(proxyBeanMethods = false)
@Profile("rabbit")
class RabbitQueues {

	private static final List<String> TOPICS = List.of("orders", "payments");

	@Bean
	Declarables shopQueues(@Value("${shop.rabbit.exchange}") String exchangeName) {
		DirectExchange exchange = new DirectExchange(exchangeName);
		return new Declarables(
				Stream.concat(Stream.of(exchange), TOPICS.stream().flatMap((topic) -> queue(exchange, topic)))
					.toList());
	}

	/** With a single active consumer, order holds also with several shops. */
	private static Stream<Declarable> queue(DirectExchange exchange, String topic) {
		Queue queue = QueueBuilder.durable(exchange.getName() + "." + topic).singleActiveConsumer().build();
		return Stream.of(queue, BindingBuilder.bind(queue).to(exchange).with(topic));
	}

}

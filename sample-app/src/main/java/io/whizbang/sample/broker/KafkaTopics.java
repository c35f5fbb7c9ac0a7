package io.whizbang.sample.broker;

import org.apache.kafka.clients.admin.NewTopic;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;

/**
 * The topics in Kafka.
 */
@Configuration(proxyBeanMethods = false)
@Profile("kafka")
class KafkaTopics {

	private static final int PARTITIONS = 3;

	@Bean
	NewTopics shopTopics() {
		return new NewTopics(topic("shop.orders"), topic("shop.payments"));
	}

	private static NewTopic topic(String name) {
		return TopicBuilder.name(name).partitions(PARTITIONS).build();
	}

}

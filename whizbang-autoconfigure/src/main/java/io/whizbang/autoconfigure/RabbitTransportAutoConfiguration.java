package io.whizbang.autoconfigure;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.rabbit.RabbitSettings;
import io.whizbang.transport.rabbit.RabbitTransport;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the outbox's way to RabbitMQ.
 */
@AutoConfiguration(after = WhizbangAutoConfiguration.class,
		afterName = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")
@ConditionalOnClass(ConnectionFactory.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.outbox.enabled", "whizbang.rabbit.enabled" },
		matchIfMissing = true)
@EnableConfigurationProperties(RabbitTransportProperties.class)
@Import(CloudEventsConfiguration.class)
public final class RabbitTransportAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RabbitSettings whizbangRabbitSettings(RabbitTransportProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	RabbitTransport whizbangRabbitTransport(ConnectionFactory connections, CloudEvents events, InstanceInfo info,
			RabbitSettings settings) {
		return new RabbitTransport(connections, events, info.serviceName(), settings);
	}

}

package io.whizbang.autoconfigure;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Intake;
import io.whizbang.transport.rabbit.RabbitReceiver;
import io.whizbang.transport.rabbit.RabbitSettings;
import io.whizbang.transport.rabbit.RabbitTransport;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for RabbitMQ: the transport of the
 * outbox, and the receiver of the inbox. Both use the application's connections.
 */
@AutoConfiguration(
		after = { OutboxAutoConfiguration.class, IntakeAutoConfiguration.class, RabbitAutoConfiguration.class })
@ConditionalOnClass(ConnectionFactory.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "whizbang.rabbit.enabled", matchIfMissing = true)
public final class WhizbangRabbitAutoConfiguration {

	/** The way out. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ CloudEvents.class, InstanceInfo.class })
	@EnableConfigurationProperties(RabbitProperties.class)
	static class TransportConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RabbitSettings whizbangRabbitSettings(RabbitProperties properties) {
			return properties.toSettings();
		}

		@Bean
		@ConditionalOnMissingBean
		RabbitTransport whizbangRabbitTransport(ConnectionFactory connections, CloudEvents events,
				InstanceInfo instance, RabbitSettings settings) {
			return new RabbitTransport(connections, events, instance.serviceName(), settings);
		}

	}

	/** The way in. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(Intake.class)
	@EnableConfigurationProperties(RabbitInboxProperties.class)
	static class ReceiverConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RabbitReceiver whizbangRabbitReceiver(ConnectionFactory connections, Intake intake,
				RabbitInboxProperties properties) {
			return new RabbitReceiver(connections, intake, properties.toSettings(), WorkerLifecycle.PHASE + 1);
		}

	}

}

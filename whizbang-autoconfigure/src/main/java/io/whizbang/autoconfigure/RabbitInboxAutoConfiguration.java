package io.whizbang.autoconfigure;

import io.whizbang.transport.Intake;
import io.whizbang.transport.rabbit.RabbitReceiver;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what the inbox receives from
 * RabbitMQ.
 */
@AutoConfiguration(afterName = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")
@ConditionalOnClass(ConnectionFactory.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
@ConditionalOnBean(Intake.class)
@EnableConfigurationProperties(RabbitInboxProperties.class)
public final class RabbitInboxAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RabbitReceiver whizbangRabbitReceiver(ConnectionFactory connections, Intake intake,
			RabbitInboxProperties properties) {
		return new RabbitReceiver(connections, intake, properties.toSettings());
	}

}

package io.whizbang.autoconfigure;

import io.whizbang.transport.Intake;
import io.whizbang.transport.rabbit.RabbitReceiver;
import io.whizbang.worker.WorkerLifecycle;

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

	/** After the workers and before the web server; stopped in the reverse order. */
	private static final int PHASE = WorkerLifecycle.PHASE + 1024;

	@Bean
	@ConditionalOnMissingBean
	RabbitReceiver whizbangRabbitReceiver(ConnectionFactory connections, Intake intake,
			RabbitInboxProperties properties) {
		return new RabbitReceiver(connections, intake, properties.toSettings(), PHASE);
	}

}

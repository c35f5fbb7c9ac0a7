package io.whizbang.autoconfigure;

import java.util.Map;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Intake;
import io.whizbang.transport.kafka.KafkaConsumers;
import io.whizbang.transport.kafka.KafkaProducers;
import io.whizbang.transport.kafka.KafkaReceivers;
import io.whizbang.transport.kafka.KafkaSettings;
import io.whizbang.transport.kafka.KafkaTransport;
import io.whizbang.worker.WorkerLifecycle;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for Kafka: the transport of the
 * outbox, and receivers of the inbox. Both use the application's connection and none of
 * its own beans' serializers.
 */
@AutoConfiguration(
		after = { OutboxAutoConfiguration.class, IntakeAutoConfiguration.class, KafkaAutoConfiguration.class })
@ConditionalOnClass({ KafkaTemplate.class, KafkaAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "whizbang.kafka.enabled", matchIfMissing = true)
public final class WhizbangKafkaAutoConfiguration {

	/** The way out. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(CloudEvents.class)
	@ConditionalOnSingleCandidate(ProducerFactory.class)
	@EnableConfigurationProperties(KafkaProperties.class)
	static class TransportConfiguration {

		@Bean
		@ConditionalOnMissingBean
		KafkaSettings whizbangKafkaSettings(KafkaProperties properties) {
			return properties.toSettings();
		}

		@Bean
		@ConditionalOnMissingBean
		KafkaTransport whizbangKafkaTransport(ProducerFactory<?, ?> application, KafkaSettings settings,
				CloudEvents events, ObjectProvider<DefaultKafkaProducerFactoryCustomizer> customizers) {
			DefaultKafkaProducerFactory<byte[], byte[]> producers = KafkaProducers
				.factory(application.getConfigurationProperties(), settings);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(producers));
			// Customizers are there for metrics and the like; payloads are bytes already.
			producers.setKeySerializer(new ByteArraySerializer());
			producers.setValueSerializer(new ByteArraySerializer());
			return new KafkaTransport(producers, events, settings);
		}

	}

	/** The way in. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ Intake.class, InstanceInfo.class })
	@ConditionalOnSingleCandidate(ConsumerFactory.class)
	@EnableConfigurationProperties(KafkaInboxProperties.class)
	static class ReceiverConfiguration {

		@Bean
		@ConditionalOnMissingBean
		KafkaReceivers whizbangKafkaReceivers(ConsumerFactory<?, ?> application, KafkaInboxProperties properties,
				InstanceInfo instance, Intake intake,
				ObjectProvider<DefaultKafkaConsumerFactoryCustomizer> customizers) {
			Map<String, Object> configuration = application.getConfigurationProperties();
			return new KafkaReceivers(properties.toSubscriptions(instance.serviceName()), (subscription) -> {
				DefaultKafkaConsumerFactory<byte[], byte[]> consumers = KafkaConsumers.factory(configuration,
						subscription);
				customizers.orderedStream().forEach((customizer) -> customizer.customize(consumers));
				consumers.setKeyDeserializer(new ByteArrayDeserializer());
				consumers.setValueDeserializer(new ByteArrayDeserializer());
				return consumers;
			}, intake, WorkerLifecycle.PHASE + 1);
		}

	}

}

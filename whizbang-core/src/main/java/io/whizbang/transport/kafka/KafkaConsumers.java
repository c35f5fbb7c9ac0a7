package io.whizbang.transport.kafka;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/**
 * Makes consumers as a receiver needs them from those of the application.
 */
public final class KafkaConsumers {

	private KafkaConsumers() {
	}

	/**
	 * Returns a factory of consumers that read plain bytes and commit nothing by
	 * themselves.
	 * @param application how the application's own consumers are configured; the rest of
	 * it holds
	 * @param subscription what is received
	 * @return the factory
	 */
	public static DefaultKafkaConsumerFactory<byte[], byte[]> factory(Map<String, Object> application,
			KafkaSubscription subscription) {
		return new DefaultKafkaConsumerFactory<>(configuration(application, subscription), new ByteArrayDeserializer(),
				new ByteArrayDeserializer());
	}

	private static Map<String, Object> configuration(Map<String, Object> application, KafkaSubscription subscription) {
		Map<String, Object> configuration = new HashMap<>(application);
		configuration.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
		configuration.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
		configuration.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		configuration.put(ConsumerConfig.GROUP_ID_CONFIG, subscription.group());
		configuration.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
				subscription.offsetReset().name().toLowerCase(Locale.ROOT));
		Object clientId = application.get(ConsumerConfig.CLIENT_ID_CONFIG);
		// Unlike any other in this application, or their metrics would collide.
		configuration.put(ConsumerConfig.CLIENT_ID_CONFIG, ((clientId != null) ? clientId + "-" : "") + "whizbang-"
				+ subscription.group() + "-" + String.join("-", subscription.topics()));
		return configuration;
	}

}

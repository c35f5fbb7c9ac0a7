package io.whizbang.transport.kafka;

import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/**
 * Makes producers as the outbox needs them from those of the application.
 */
public final class KafkaProducers {

	/** Beyond it, a producer that numbers its records loses their order. */
	private static final int MAX_IN_FLIGHT = 5;

	private static final int DEFAULT_REQUEST_TIMEOUT = 30_000;

	private KafkaProducers() {
	}

	/**
	 * Returns a factory of producers that keep the order of what they send and lose
	 * nothing that was acknowledged.
	 * @param application how the application's own producers are configured; all of it
	 * holds except what order, durability and the settings' times need
	 * @param settings how long to wait
	 * @return the factory
	 */
	public static DefaultKafkaProducerFactory<byte[], byte[]> factory(Map<String, Object> application,
			KafkaSettings settings) {
		DefaultKafkaProducerFactory<byte[], byte[]> factory = new DefaultKafkaProducerFactory<>(
				configuration(application, settings), new ByteArraySerializer(), new ByteArraySerializer());
		factory.setPhysicalCloseTimeout((int) Math.max(1, settings.deliveryTimeout().toSeconds()));
		return factory;
	}

	static Map<String, Object> configuration(Map<String, Object> application, KafkaSettings settings) {
		Map<String, Object> configuration = new HashMap<>(application);
		configuration.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
		configuration.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
		configuration.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
		// The delivery timeout bounds them.
		configuration.remove(ProducerConfig.RETRIES_CONFIG);
		configuration.put(ProducerConfig.ACKS_CONFIG, "all");
		configuration.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
		configuration.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, atMost(application,
				ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, MAX_IN_FLIGHT, MAX_IN_FLIGHT));
		int delivery = Math.toIntExact(settings.deliveryTimeout().toMillis());
		configuration.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, settings.maxBlock().toMillis());
		configuration.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery);
		// A request that got lost can be sent once more in time.
		configuration.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, atMost(application,
				ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, delivery / 2), DEFAULT_REQUEST_TIMEOUT));
		configuration.put(ProducerConfig.CLIENT_ID_CONFIG, clientId(application));
		return configuration;
	}

	/** Apart from the application's own, or their metrics would collide. */
	private static String clientId(Map<String, Object> application) {
		Object own = application.get(ProducerConfig.CLIENT_ID_CONFIG);
		return (own != null) ? own + "-whizbang" : "whizbang";
	}

	private static int atMost(Map<String, Object> application, String name, int limit, int otherwise) {
		Object value = application.get(name);
		return Math.min(limit, (value != null) ? Integer.parseInt(value.toString()) : otherwise);
	}

}

package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaProducersTests {

	private final KafkaSettings settings = KafkaSettings.defaults()
		.withTimes(Duration.ofSeconds(3), Duration.ofSeconds(12));

	@Test
	void keepsWhatTheApplicationSets() {
		Map<String, Object> application = Map.of("bootstrap.servers", "kafka:9092", "compression.type", "zstd",
				"security.protocol", "SSL", "request.timeout.ms", "2000", "max.in.flight.requests.per.connection", 2);
		assertThat(KafkaProducers.configuration(application, this.settings)).containsEntry("compression.type", "zstd")
			.containsEntry("security.protocol", "SSL")
			.containsEntry("request.timeout.ms", 2000)
			.containsEntry("max.in.flight.requests.per.connection", 2)
			.containsEntry("client.id", "whizbang");
	}

	@Test
	void setsWhatOrderDurabilityAndTimeNeed() {
		Map<String, Object> application = new HashMap<>();
		application.put("acks", "1");
		application.put("retries", 0);
		application.put("enable.idempotence", false);
		application.put("transactional.id", "tx-1");
		application.put("max.in.flight.requests.per.connection", "50");
		application.put("value.serializer", "com.example.Avro");
		application.put("client.id", "shop");
		assertThat(KafkaProducers.configuration(application, this.settings)).containsOnly(Map.entry("acks", "all"),
				Map.entry("enable.idempotence", true), Map.entry("max.in.flight.requests.per.connection", 5),
				Map.entry("max.block.ms", 3000L), Map.entry("delivery.timeout.ms", 12000),
				Map.entry("request.timeout.ms", 6000), Map.entry("client.id", "shop-whizbang"));
	}

}

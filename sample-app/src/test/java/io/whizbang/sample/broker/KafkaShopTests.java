package io.whizbang.sample.broker;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class KafkaShopTests {

	@Test
	void hasOrdersPaidOverKafka(PostgresDatabase database) {
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
		broker.brokerProperty("auto.create.topics.enable", "false");
		broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
		broker.brokerProperty("offsets.topic.num.partitions", "1");
		broker.afterPropertiesSet();
		try (BrokerShop shop = new BrokerShop(database, "kafka",
				"spring.kafka.bootstrap-servers=" + broker.getBrokersAsString())) {
			shop.awaitConfirmation(shop.place("book"), 1);
			shop.awaitConfirmation(shop.place("flaky"), 4);
			shop.isHealthyWith("kafka");
			assertThat(shop.sources()).containsExactly("kafka:shop.orders", "kafka:shop.payments");
		}
		finally {
			broker.destroy();
		}
	}

}

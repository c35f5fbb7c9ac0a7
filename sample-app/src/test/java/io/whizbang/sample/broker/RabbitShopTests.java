package io.whizbang.sample.broker;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
@RabbitTest
class RabbitShopTests {

	/** Others may use the broker too. */
	private final String exchange = "whizbang-test-" + UUID.randomUUID();

	@Test
	void hasOrdersPaidOverRabbit(PostgresDatabase database, RabbitServer server) {
		String[] properties = StringUtils.addStringToArray(server.properties(),
				"shop.rabbit.exchange=" + this.exchange);
		try (BrokerShop shop = new BrokerShop(database, "rabbit", properties)) {
			shop.awaitConfirmation(shop.place("book"), 1);
			shop.awaitConfirmation(shop.place("flaky"), 4);
			shop.isHealthyWith("rabbit");
			assertThat(shop.sources()).containsExactly("rabbit:" + this.exchange + ".orders",
					"rabbit:" + this.exchange + ".payments");
		}
	}

	@AfterEach
	void leaveNothingAtTheBroker(RabbitServer server) throws IOException, TimeoutException {
		try (Connection connection = server.connect(); Channel channel = connection.createChannel()) {
			channel.queueDelete(this.exchange + ".orders");
			channel.queueDelete(this.exchange + ".payments");
			channel.exchangeDelete(this.exchange);
		}
	}

}

package io.whizbang.autoconfigure;

import java.io.IOException;
import java.util.Arrays;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A trace goes over RabbitMQ as it does over Kafka.
 */
@PostgresTest
@RabbitTest
class RabbitTraceTests {

	private final PostgresDatabase database;

	private final RabbitServer server;

	RabbitTraceTests(PostgresDatabase database, RabbitServer server) {
		this.database = database;
		this.server = server;
	}

	@Test
	void oneTraceLeadsFromTheRequestOverABrokerToWhatItsHandlerEnqueues() throws IOException, InterruptedException {
		try (RabbitClient client = new RabbitClient(this.server)) {
			String queue = client.queue("orders");
			try (ConfigurableApplicationContext shop = start(TraceTests.Shop.class, "shop",
					"whizbang.outbox.routes[%s]=rabbit".formatted(queue));
					ConfigurableApplicationContext billing = start(TraceTests.Billing.class, "billing",
							"whizbang.inbox.rabbit.listeners[0].queues=" + queue)) {
				TraceTests.follow(shop, queue, billing, queue);
			}
		}
	}

	private ConfigurableApplicationContext start(Class<?> application, String name, String property) {
		String[] broker = this.server.properties();
		String[] properties = Arrays.copyOf(broker, broker.length + 1);
		properties[broker.length] = property;
		return TraceTests.start(this.database, application, name, properties);
	}

}

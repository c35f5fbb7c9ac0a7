package io.whizbang.autoconfigure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers of every kind run on virtual threads where the application uses them, and
 * nothing is left undone.
 */
@PostgresTest
class VirtualThreadsTests {

	private static final int MANY = 200;

	private final ApplicationContextRunner runner;

	VirtualThreadsTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, EventStoreAutoConfiguration.class, PerspectiveAutoConfiguration.class,
					JacksonAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, database::dataSource, (definition) -> definition.setDestroyMethodName(""))
			.withPropertyValues("whizbang.events.types[opened].type=" + Opened.class.getName())
			.withUserConfiguration(Shop.class, Accounts.class);
	}

	@Test
	void handlersRunOnVirtualThreads() {
		boolean virtual = Runtime.version().feature() >= 21;
		if (!virtual) {
			LoggerFactory.getLogger(VirtualThreadsTests.class)
				.warn("SKIPPED: there are no virtual threads in Java {}; run this test with 21 or later",
						Runtime.version().feature());
		}
		Assumptions.assumeTrue(virtual, "SKIPPED: virtual threads need Java 21");
		run("spring.threads.virtual.enabled=true", true);
	}

	@Test
	void handlersRunOnPlatformThreadsUnlessTheApplicationSaysSo() {
		run("spring.threads.virtual.enabled=false", false);
	}

	private void run(String property, boolean virtual) {
		this.runner.withPropertyValues(property, "whizbang.schema.name=virtual_" + virtual).run((context) -> {
			Outbox outbox = context.getBean(Outbox.class);
			for (int i = 0; i < MANY; i++) {
				outbox.enqueue("orders", "stream-" + i, i);
			}
			context.getBean(Inbox.class)
				.receive(IncomingMessage.from("bank", "17").topic("payments").payload("\"paid\"").build());
			context.getBean(EventStore.class).append("A", ExpectedVersion.none(), new Opened("ada"));
			Shop shop = context.getBean(Shop.class);
			Accounts accounts = context.getBean(Accounts.class);
			Await.until("all of it", () -> shop.threads.size() == MANY + 1 && accounts.threads.size() == 1);
			assertThat(shop.threads.values()).containsOnly(virtual);
			assertThat(accounts.threads.values()).containsOnly(virtual);
		});
	}

	/** {@code Thread.isVirtual()} is not in Java 17, for which this is compiled. */
	private static boolean isVirtual() {
		return Thread.currentThread().toString().startsWith("VirtualThread");
	}

	record Opened(String owner) {
	}

	static class Shop {

		final Map<Object, Boolean> threads = new ConcurrentHashMap<>();

		@OutboxHandler("orders")
		void deliver(int order) {
			this.threads.put(order, isVirtual());
		}

		@MessageHandler(topic = "payments")
		void pay(String payment) {
			this.threads.put(payment, isVirtual());
		}

	}

	@Perspective(name = "accounts")
	static class Accounts {

		final Map<Object, Boolean> threads = new ConcurrentHashMap<>();

		@On
		void opened(Opened opened) {
			this.threads.put(opened, isVirtual());
		}

	}

}

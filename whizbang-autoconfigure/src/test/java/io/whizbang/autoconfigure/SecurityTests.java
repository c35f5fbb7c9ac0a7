package io.whizbang.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.inbox.Receipt;
import io.whizbang.message.Envelope;
import io.whizbang.message.PayloadException;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What docs/security.md says.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class SecurityTests {

	private static final String SECRET = "4711-0815-secret";

	private static final String INJECTION = "x'); drop table whizbang.wh_messages cascade; --\"\r\nce_id: 1";

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	SecurityTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, JacksonAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withPropertyValues("whizbang.outbox.retry.max-attempts=2", "whizbang.outbox.retry.first-delay=1ms")
			.withUserConfiguration(Shop.class);
	}

	@Test
	void noLogHasAPayloadOrAHeader(CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.setLogLevel("io.whizbang", LogLevel.TRACE);
		try {
			this.runner.run((context) -> {
				Outbox outbox = context.getBean(Outbox.class);
				Map<String, String> card = Map.of("card", SECRET);
				outbox.enqueue(OutboxMessage.to("failing", card).header("card", SECRET).build());
				outbox.enqueue(OutboxMessage.to("numbers", card).header("card", SECRET).build());
				outbox.enqueue(OutboxMessage.to("orders", card).header("card", SECRET).build());
				Await.until("two that died",
						() -> Integer.valueOf(2)
							.equals(this.database.jdbc()
								.queryForObject("select count(*) from whizbang.wh_dead_letters", Integer.class)));
				assertThat(context.getBean(Shop.class).next()).isNotNull();
			});
		}
		finally {
			logging.setLogLevel("io.whizbang", null);
		}
		assertThat(output).contains("failing").doesNotContain(SECRET);
	}

	@Test
	void valuesNeverBecomeSql() {
		this.runner.run((context) -> {
			context.getBean(Outbox.class)
				.enqueue(OutboxMessage.to("orders", Map.of("text", INJECTION))
					.stream(INJECTION)
					.header("note", INJECTION)
					.build());
			Envelope envelope = context.getBean(Shop.class).next();
			assertThat(envelope.stream()).isNotNull().extracting((stream) -> stream.key()).isEqualTo(INJECTION);
			assertThat(envelope.headers()).containsEntry("note", INJECTION);
			assertThat(context.getBean(Inbox.class)
				.receive(IncomingMessage.from(INJECTION, INJECTION).topic("payments").payload("{}").build()))
				.isNotNull();
		});
	}

	@Test
	void aMessageCannotNameTheClassThatItIsReadAs() {
		this.runner.run((context) -> {
			context.getBean(Inbox.class)
				.receive(IncomingMessage.from("stranger", "1")
					.topic("payments")
					.payload("{\"@class\": \"java.net.URL\", \"@type\": \"java.net.URL\", \"amount\": 1}")
					.build());
			Object payload = context.getBean(Shop.class).payloads.poll(30, TimeUnit.SECONDS);
			assertThat(payload).isInstanceOf(Map.class)
				.asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("@class", "java.net.URL")
				.containsEntry("amount", 1);
		});
	}

	@Test
	void aPayloadThatIsTooLargeIsRefusedAndNothingIsStored() {
		this.runner
			.withPropertyValues("whizbang.messages.max-payload-size=1KB", "whizbang.outbox.worker.enabled=false",
					"whizbang.schema.name=small")
			.run((context) -> {
				Outbox outbox = context.getBean(Outbox.class);
				outbox.enqueue("orders", "x".repeat(1022));
				assertThatExceptionOfType(PayloadException.class)
					.isThrownBy(() -> outbox.enqueue("orders", "x".repeat(1023)))
					.withMessageContaining("1025 characters")
					.withMessageContaining("whizbang.messages.max-payload-size");
				assertThat(this.database.jdbc().queryForObject("select count(*) from small.wh_outbox", Integer.class))
					.isEqualTo(1);
			});
	}

	@Test
	void aPayloadThatArrivesAndIsTooLargeIsRefusedAndMayComeAgain() {
		this.runner
			.withPropertyValues("whizbang.messages.max-payload-size=1KB", "whizbang.inbox.worker.enabled=false",
					"whizbang.schema.name=arrivals")
			.run((context) -> {
				Inbox inbox = context.getBean(Inbox.class);
				assertThatExceptionOfType(PayloadException.class)
					.isThrownBy(() -> inbox.receiveAll(List.of(arriving("1", 10), arriving("2", 1025))))
					.withMessageContaining("message 2 from partner has 1025 characters")
					.withMessageContaining("whizbang.messages.max-payload-size");
				assertThat(inbox.receiveAll(List.of(arriving("1", 10), arriving("2", 1024))))
					.containsExactly(Receipt.ACCEPTED, Receipt.ACCEPTED);
			});
	}

	private static IncomingMessage arriving(String id, int size) {
		return IncomingMessage.from("partner", id).topic("parcels").payload("1".repeat(size)).build();
	}

	@Test
	void functionsRunWithTheRightsOfTheirCaller() {
		this.runner.run((context) -> {
			List<String> others = this.database.jdbc()
				.queryForList("""
						select proname from pg_proc where pronamespace = 'whizbang'::regnamespace and prosecdef""",
						String.class);
			assertThat(others).isEmpty();
		});
	}

	static class Shop {

		private final BlockingQueue<Envelope> orders = new LinkedBlockingQueue<>();

		private final BlockingQueue<Object> payloads = new LinkedBlockingQueue<>();

		Envelope next() throws InterruptedException {
			Envelope order = this.orders.poll(30, TimeUnit.SECONDS);
			assertThat(order).isNotNull();
			return order;
		}

		@OutboxHandler("orders")
		void deliver(Envelope order) {
			this.orders.add(order);
		}

		@OutboxHandler("failing")
		void fail(Map<String, String> payload) {
			throw new IllegalStateException("The card is not valid");
		}

		@OutboxHandler("numbers")
		void number(int number) {
		}

		@MessageHandler(topic = "payments")
		void pay(Object payment) {
			this.payloads.add(payment);
		}

	}

}

package io.whizbang.autoconfigure;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import javax.sql.DataSource;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.letter.DeadLetter;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.DeadLetters;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import io.whizbang.transport.rabbit.RabbitReceiver;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.WorkerLifecycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From a queue of RabbitMQ to handlers of the application.
 */
@PostgresTest
@RabbitTest
class WhizbangRabbitInboxTests {

	private final JdbcTemplate jdbc;

	private final RabbitClient client;

	private final String queue;

	private final ApplicationContextRunner runner;

	WhizbangRabbitInboxTests(PostgresDatabase database, RabbitServer server) throws IOException {
		this.jdbc = database.jdbc();
		this.client = new RabbitClient(server);
		this.queue = this.client.queue("orders");
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, IntakeAutoConfiguration.class,
					WhizbangRabbitAutoConfiguration.class, RabbitAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withBean(DataSource.class, () -> database.createPool(10))
			.withBean(Orders.class)
			.withPropertyValues(server.properties())
			.withPropertyValues("whizbang.inbox.rabbit.listeners[0].queues=" + this.queue);
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
	}

	@Test
	void handlesEachMessageOfAPlainClientOnce() throws IOException {
		for (String id : List.of("m-1", "m-2", "m-1")) {
			this.client.publish(this.queue, order(id), "{\"id\":\"%s\"}".formatted(id));
		}
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(List.of(orders.next().order, orders.next().order)).containsExactlyInAnyOrder(new Order("m-1"),
					new Order("m-2"));
			this.client.publish(this.queue, order("m-2"), "{\"id\":\"m-2\"}");
			this.client.publish(this.queue, order("m-3"), "{\"id\":\"m-3\"}");
			assertThat(orders.next().order).isEqualTo(new Order("m-3"));
		});
	}

	@Test
	void handlesEachOfTenThousandMessagesOnceThoughEveryTenthIsSentTwice() throws IOException {
		this.jdbc.execute("create table booked (id text)");
		this.runner.withBean(Ledger.class).withBean(Arrivals.class).run((context) -> {
			for (int i = 0; i < 10_000; i++) {
				String id = "b-" + i;
				this.client.publish(this.queue, order(id), "{\"id\":\"%s\"}".formatted(id));
				if (i % 10 == 0) {
					this.client.publish(this.queue, order(id), "{\"id\":\"%s\"}".formatted(id));
				}
			}
			Arrivals arrivals = context.getBean(Arrivals.class);
			Await.until(arrivals::toString, () -> arrivals.known.sum() >= 1_000 && arrivals.accepted.sum() >= 10_000);
			Await.until("all messages to be handled", () -> number("select count(*) from booked") >= 10_000);
			Await.until("an empty inbox", () -> number("select count(*) from whizbang.wh_inbox") == 0);
			assertThat(arrivals.accepted.sum()).isEqualTo(10_000);
			assertThat(number("select count(*) from booked")).isEqualTo(10_000);
			assertThat(number("select count(distinct id) from booked")).isEqualTo(10_000);
		});
	}

	private int number(String sql) {
		Integer number = this.jdbc.queryForObject(sql, Integer.class);
		return (number != null) ? number : -1;
	}

	@Test
	void handlesWhatAnOutboxHasSent() {
		this.runner.run((context) -> {
			context.getBean(Outbox.class)
				.enqueue(OutboxMessage.to(this.queue, new Order("o-1"))
					.stream("customer-7")
					.correlationId("c-1")
					.header("tenant", "blue")
					.build());
			Received received = context.getBean(Orders.class).next();
			assertThat(received.order).isEqualTo(new Order("o-1"));
			Envelope message = received.message;
			assertThat(message.topic()).isEqualTo(this.queue);
			assertThat(message.type()).isEqualTo(Order.class.getName());
			assertThat(message.stream().key()).isEqualTo("customer-7");
			assertThat(message.headers()).containsAllEntriesOf(Map.of("correlation-id", "c-1", "tenant", "blue"));
		});
	}

	@Test
	void showsWhatIsMalformedAmongTheDeadLetters() throws IOException {
		this.client.publish(this.queue, order("m-1"), "{oops");
		this.client.publish(this.queue, order("m-2"), "{\"id\":\"m-2\"}");
		this.runner.run((context) -> {
			assertThat(context.getBean(Orders.class).next().order).isEqualTo(new Order("m-2"));
			DeadLetters letters = context.getBean(DeadLetters.class);
			List<DeadLetterSummary> malformed = letters
				.list(DeadLetterFilter.ALL.source("rabbit:" + this.queue), null, 100)
				.letters();
			assertThat(malformed).singleElement().satisfies((letter) -> {
				DeadLetter whole = letters.find(letter.id());
				assertThat(whole.raw()).asString().isEqualTo("{oops");
				assertThat(whole.headers()).containsEntry("rabbit-queue", this.queue)
					.containsEntry("rabbit-message-id", "m-1");
			});
			Await.until("an empty queue", () -> this.client.count(this.queue) == 0);
		});
	}

	@Test
	void stopsReceivingBeforeTheWorkersStop() {
		this.runner.run((context) -> {
			assertThat(context.getBean(RabbitReceiver.class).isRunning()).isTrue();
			assertThat(context.getBean(RabbitReceiver.class).getPhase()).isGreaterThan(WorkerLifecycle.PHASE);
		});
	}

	private static BasicProperties order(String id) {
		return new BasicProperties.Builder().messageId(id).type("Order").build();
	}

	record Order(String id) {

	}

	record Received(Order order, Envelope message) {

	}

	static class Ledger {

		private final JdbcTemplate jdbc;

		Ledger(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
		}

		@MessageHandler
		void on(Order order) {
			this.jdbc.update("insert into booked (id) values (?)", order.id);
		}

	}

	static class Arrivals implements WorkListener {

		private final LongAdder accepted = new LongAdder();

		private final LongAdder known = new LongAdder();

		@Override
		public void received(Queue queue, int accepted, int duplicates, int conflicts) {
			this.accepted.add(accepted);
			this.known.add(duplicates);
		}

		@Override
		public String toString() {
			return "all messages to arrive; %s are new, %s were known".formatted(this.accepted, this.known);
		}

	}

	static class Orders {

		private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

		@MessageHandler
		void on(Order order, Envelope message) {
			this.received.add(new Received(order, message));
		}

		Received next() throws InterruptedException {
			Received next = this.received.poll(30, TimeUnit.SECONDS);
			assertThat(next).as("a message that is handled").isNotNull();
			return next;
		}

	}

}

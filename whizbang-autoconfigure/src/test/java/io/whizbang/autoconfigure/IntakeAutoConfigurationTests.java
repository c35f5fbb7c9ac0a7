package io.whizbang.autoconfigure;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.inbox.InboxIntake;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.Intake;
import io.whizbang.transport.local.InboxTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class IntakeAutoConfigurationTests {

	private static final String ROUTE = "whizbang.outbox.routes[greetings]=inbox";

	private final ApplicationContextRunner runner;

	IntakeAutoConfigurationTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, IntakeAutoConfiguration.class,
					JacksonAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, () -> database.createPool(10));
	}

	@Test
	void leadsFromTheOutboxToTheInboxWhereARouteSaysSo() {
		this.runner.withUserConfiguration(Greeter.class).withPropertyValues(ROUTE).run((context) -> {
			MessageId id = context.getBean(Outbox.class)
				.enqueue(OutboxMessage.to("greetings", new Greeting("hi")).stream("a").correlationId("c-1").build());
			assertThat(context.getBean(Greeter.class).next()).satisfies((received) -> {
				assertThat(received.id()).isEqualTo(id);
				assertThat(received.payload()).isEqualTo("{\"text\":\"hi\"}");
				assertThat(received.stream().key()).isEqualTo("a");
				assertThat(received.headers()).containsEntry("correlation-id", "c-1")
					.containsEntry("whizbang-source", "outbox:greetings");
			});
		});
	}

	@Test
	void hasNoWayToTheInboxThatNobodyAskedFor() {
		this.runner.withPropertyValues("whizbang.outbox.routes[greetings]=handlers")
			.run((context) -> assertThat(context).hasSingleBean(InboxIntake.class)
				.doesNotHaveBean(InboxTransport.class));
	}

	@Test
	void tellsThatARouteToTheInboxNeedsAnInbox() {
		this.runner.withPropertyValues(ROUTE, "whizbang.inbox.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("leads to \"inbox\", but there is no such transport"));
	}

	@Test
	void backsOffForBeansOfTheApplication() {
		List<Arrival> taken = new CopyOnWriteArrayList<>();
		this.runner.withBean("mine", Intake.class, () -> taken::addAll).withPropertyValues(ROUTE).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(InboxIntake.class);
			context.getBean(Outbox.class).enqueue("greetings", new Greeting("mine"));
			Await.until("a message", () -> taken.size() == 1);
		});
	}

	record Greeting(String text) {
	}

	static class Greeter {

		private final BlockingQueue<Envelope> arrived = new LinkedBlockingQueue<>();

		@MessageHandler
		void greet(Greeting greeting, Envelope envelope) {
			this.arrived.add(envelope);
		}

		@Nullable Envelope next() throws InterruptedException {
			return this.arrived.poll(30, TimeUnit.SECONDS);
		}

	}

}

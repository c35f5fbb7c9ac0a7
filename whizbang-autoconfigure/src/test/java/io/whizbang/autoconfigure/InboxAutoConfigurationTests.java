package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxGuard;
import io.whizbang.inbox.InboxProcessor;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.inbox.Receipt;
import io.whizbang.inbox.Receptors;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.Chore;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;
import io.whizbang.worker.WorkerStatus.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@PostgresTest
class InboxAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	InboxAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, JacksonAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	private static IncomingMessage greeting(String id) {
		return IncomingMessage.from("test", id)
			.topic("greetings")
			.type("Greeting")
			.payload("{\"text\":\"hi\"}")
			.build();
	}

	@Test
	void handlesWhatArrivesAndSendsOnWhatIsEmitted() {
		this.runner.withUserConfiguration(Greeter.class).run((context) -> {
			assertThat(context.getBean(Inbox.class).receive(greeting("handles"))).isEqualTo(Receipt.ACCEPTED);
			assertThat(context.getBean(Greeter.class).next()).isEqualTo("greeted hi");
			assertThat(context.getBean(Inbox.class).receive(greeting("handles"))).isEqualTo(Receipt.DUPLICATE);
			assertThat(worker(context, "whizbangInboxWorker").status().state()).isEqualTo(State.RUNNING);
		});
	}

	@Test
	void handlesWhereBeansAreMadeOnDemand() {
		this.runner.withUserConfiguration(Greeter.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(Inbox.class).receive(greeting("lazy"));
				assertThat(context.getBean(Greeter.class).next()).isEqualTo("greeted hi");
			});
	}

	@Test
	void leavesTheQueueAloneWithoutReceptors() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(worker(context, "whizbangInboxWorker").status().state()).isEqualTo(State.UNUSED);
			assertThat(this.database.jdbc()
				.queryForObject("select count(*) from whizbang.wh_service_instances where 2 = any (queues)",
						Integer.class))
				.isZero();
		});
	}

	@Test
	void onlyReceivesWithoutAWorker() {
		this.runner.withUserConfiguration(Greeter.class)
			.withPropertyValues("whizbang.inbox.worker.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasSingleBean(Inbox.class)
					.hasSingleBean(InboxGuard.class)
					.doesNotHaveBean(InboxProcessor.class)
					.doesNotHaveBean("whizbangInboxWorker");
			});
	}

	@Test
	void worksWithoutTheOutbox() {
		this.runner.withUserConfiguration(Listener.class)
			.withPropertyValues("whizbang.outbox.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class);
				context.getBean(Inbox.class).receive(greeting("alone"));
				assertThat(context.getBean(Listener.class).next()).isEqualTo("hi");
			});
	}

	@Test
	void isAbsentWhenSwitchedOff() {
		this.runner.withPropertyValues("whizbang.inbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Inbox.class)
				.hasSingleBean(Outbox.class));
	}

	@Test
	void purgesOnlyWhereThereIsARetention() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(Chore.class));
		this.runner.withPropertyValues("whizbang.inbox.deduplication.retention=1ms").run((context) -> {
			context.getBean(Inbox.class).receive(greeting("brief"));
			Chore purge = context.getBean(Chore.class);
			assertThat(purge.isRunning()).isTrue();
			Await.until("a purge by a restarted chore", () -> {
				purge.stop();
				purge.start();
				return new JdbcTemplate(context.getBean(DataSource.class))
					.queryForList("select 1 from whizbang.wh_message_deduplication where expires_at is not null")
					.isEmpty();
			});
		});
	}

	@Test
	void backsOffForBeansOfTheApplication() {
		this.runner.withBean("mine", Inbox.class, () -> mock(Inbox.class))
			.withBean("guard", InboxGuard.class, () -> mock(InboxGuard.class))
			.withBean("receptors", Receptors.class, Receptors::new)
			.withBean("settings", InboxSettings.class, () -> InboxSettings.defaults().withRetention(Duration.ofDays(1)))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Inbox.class)
				.hasSingleBean(InboxGuard.class)
				.hasSingleBean(Receptors.class)
				.hasSingleBean(InboxSettings.class));
	}

	@Test
	void workersHaveSettingsOfTheirOwn() {
		this.runner
			.withBean("whizbangInboxWorkerSettings", WorkerSettings.class,
					() -> WorkerSettings.defaults().withConcurrency(1))
			.withPropertyValues("whizbang.outbox.worker.concurrency=7")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Map<String, WorkerSettings> settings = context.getBeansOfType(WorkerSettings.class);
				assertThat(settings.get("whizbangInboxWorkerSettings").concurrency()).isEqualTo(1);
			});
	}

	private static Worker worker(ApplicationContext context, String name) {
		return context.getBean(name, Worker.class);
	}

	record Greeting(String text) {
	}

	static class Greeter {

		private final Outbox outbox;

		private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

		Greeter(Outbox outbox) {
			this.outbox = outbox;
		}

		@MessageHandler
		void greet(Greeting greeting) {
			this.outbox.enqueue("replies", "greeted " + greeting.text());
		}

		@OutboxHandler("replies")
		void reply(String text) {
			this.arrived.add(text);
		}

		@Nullable String next() throws InterruptedException {
			return this.arrived.poll(30, TimeUnit.SECONDS);
		}

	}

	static class Listener {

		private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

		@MessageHandler
		void greet(Greeting greeting) {
			this.arrived.add(greeting.text());
		}

		@Nullable String next() throws InterruptedException {
			return this.arrived.poll(30, TimeUnit.SECONDS);
		}

	}

}

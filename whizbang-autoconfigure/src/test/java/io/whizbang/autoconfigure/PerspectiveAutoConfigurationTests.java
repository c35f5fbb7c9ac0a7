package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.event.Appended;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypes;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.CompletionStrategy;
import io.whizbang.perspective.DatabaseReadiness;
import io.whizbang.perspective.On;
import io.whizbang.perspective.OnReset;
import io.whizbang.perspective.Perspective;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.PerspectiveLifecycle;
import io.whizbang.perspective.PerspectiveScanner;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;
import io.whizbang.test.Await;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@PostgresTest
class PerspectiveAutoConfigurationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	PerspectiveAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		database.jdbc().execute("drop table if exists owner; create table owner (account text, name text)");
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, EventStoreAutoConfiguration.class,
					PerspectiveAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withBean(EventTypes.class, () -> EventTypes.of(Entered.class));
	}

	@Test
	void findsPerspectivesAmongTheBeans() {
		this.runner.withBean(Owners.class)
			.run((context) -> assertThat(context.getBean(PerspectiveHandlers.class).all())
				.extracting(PerspectiveHandler::name)
				.containsExactly("owners"));
	}

	@Test
	void appliesWhatIsAppendedAndLetsCallersWaitForIt() {
		this.runner.withBean(Owners.class).run((context) -> {
			Appended appended = enter(context.getBean(EventStore.class), "A", "ada");
			assertThat(context.getBean(Perspectives.class).await("owners", appended, LONG)).isTrue();
			assertThat(owners()).containsExactly("ada");
		});
	}

	@Test
	void appliesAtTheStartWhatCameBefore() {
		this.runner.run((context) -> enter(context.getBean(EventStore.class), "before", "bob"));
		this.runner.withBean(Owners.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				Appended appended = enter(context.getBean(EventStore.class), "after", "eve");
				assertThat(context.getBean(Perspectives.class).await("owners", appended, LONG)).isTrue();
				assertThat(owners()).contains("bob", "eve");
			});
	}

	@Test
	void leavesEventsToOthersWhenTheWorkerIsSwitchedOff() {
		this.runner.withBean(Owners.class)
			.withPropertyValues("whizbang.perspectives.worker.enabled=false")
			.run((context) -> {
				assertThat(context).hasSingleBean(Perspectives.class).doesNotHaveBean(PerspectiveLifecycle.class);
				assertThat(context.getBean(PerspectiveWorker.class).isRunning()).isFalse();
			});
	}

	@Test
	void runsPerspectivesByHandInTests() {
		this.runner.withBean(Owners.class).withUserConfiguration(ByHand.class).run((context) -> {
			ManualWorker worker = context.getBean(ManualWorker.class);
			worker.runUntilIdle();
			this.database.jdbc().execute("truncate owner");
			enter(context.getBean(EventStore.class), "by-hand", "zoe");
			assertThat(owners()).isEmpty();
			worker.runUntilIdle();
			assertThat(owners()).containsExactly("zoe");

			context.getBean(Perspectives.class).replay("owners", StreamId.of("by-hand"));
			assertThat(owners()).isEmpty();
			worker.runUntilIdle();
			assertThat(owners()).containsExactly("zoe");
		});
	}

	@Test
	void aStreamThatHasFailedWaitsByTheDatabasesOwnClockUntilItIsRetried() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.runner.withBean(Fragile.class, broken)
			.withPropertyValues("whizbang.perspectives.retry.first-delay=1h",
					"whizbang.perspectives.retry.max-delay=1h")
			.withUserConfiguration(ByHand.class)
			.run((context) -> {
				ManualWorker worker = context.getBean(ManualWorker.class);
				Perspectives perspectives = context.getBean(Perspectives.class);
				enter(context.getBean(EventStore.class), "fragile", "ada");
				worker.runUntilIdle();
				assertThat(perspectives.stopped("fragile", null, 10)).hasSize(1);
				broken.set(false);
				// This clock is that of the queues.
				context.getBean(DatabaseClock.class).advance(Duration.ofHours(2));
				worker.runUntilIdle();
				assertThat(perspectives.stopped("fragile", null, 10)).hasSize(1);
				assertThat(perspectives.retry("fragile", StreamId.of("fragile"), Operator.named("ada"))).isTrue();
				worker.runUntilIdle();
				assertThat(perspectives.stopped("fragile", null, 10)).isEmpty();
			});
	}

	@Test
	void aStreamWhoseDeadLetterIsReplayedIsTriedAgainAtOnce() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.runner.withBean(Fragile.class, broken)
			.withConfiguration(AutoConfigurations.of(DeadLettersAutoConfiguration.class))
			.withPropertyValues("whizbang.perspectives.retry.max-attempts=1", "whizbang.coordinator.heartbeat=1h",
					"whizbang.coordinator.dead-after=2h", "whizbang.coordinator.stale-after=3h",
					"whizbang.perspectives.worker.lease=10h", "whizbang.perspectives.worker.min-poll-interval=1h",
					"whizbang.perspectives.worker.max-poll-interval=1h",
					"whizbang.perspectives.worker.listening-poll-interval=1h")
			.run((context) -> {
				Perspectives perspectives = context.getBean(Perspectives.class);
				Appended appended = enter(context.getBean(EventStore.class), "fragile", "ada");
				Await.until("the death", () -> perspectives.status("fragile").get(0).dead() == 1);
				broken.set(false);
				context.getBean(DeadLetters.class).replayAll(DeadLetterFilter.ALL, Operator.named("ada"));
				assertThat(perspectives.await("fragile", appended, LONG)).isTrue();
			});
	}

	@Test
	void endsATransactionWithThePageOrWithEveryEvent() {
		assertThat(transactions("batched")).isEqualTo(1);
		assertThat(transactions("instant")).isEqualTo(3);
	}

	/** In how many transactions three events are applied that are there together. */
	private int transactions(String completion) {
		AtomicInteger transactions = new AtomicInteger();
		this.runner.withBean(Owners.class)
			.withPropertyValues("whizbang.perspectives.completion=" + completion)
			.withUserConfiguration(ByHand.class)
			.run((context) -> {
				ManualWorker worker = context.getBean(ManualWorker.class);
				worker.runUntilIdle();
				this.database.jdbc().execute("truncate owner");
				for (int i = 0; i < 3; i++) {
					enter(context.getBean(EventStore.class), completion + "-" + i, "ada");
				}
				worker.runUntilIdle();
				assertThat(owners()).hasSize(3);
				transactions.set(this.database.jdbc()
					.queryForList("select distinct xmin::text from owner", String.class)
					.size());
			});
		return transactions.get();
	}

	@Test
	void countsAndShowsWhatPerspectivesDo() {
		this.runner.withBean(Owners.class)
			.withConfiguration(AutoConfigurations.of(WhizbangMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withUserConfiguration(ByHand.class)
			.run((context) -> {
				enter(context.getBean(EventStore.class), "metered", "ada");
				context.getBean(ManualWorker.class).runUntilIdle();
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("whizbang.perspective.events")
					.tags("perspective", "owners", "outcome", "applied")
					.counter()
					.count()).isPositive();
				assertThat(registry.get("whizbang.perspective.lag").tag("perspective", "owners").gauge().value())
					.isZero();
				assertThat(registry.get("whizbang.perspective.streams").tag("status", "dead").gauge().value()).isZero();
				assertThat(registry.get("whizbang.perspective.progress").gauge().value()).isNaN();
			});
	}

	@Test
	void isPartOfTheHealth() {
		ApplicationContextRunner healthy = this.runner
			.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class));
		healthy.withBean(Owners.class).run((context) -> {
			Appended appended = enter(context.getBean(EventStore.class), "healthy", "ada");
			context.getBean(Perspectives.class).await("owners", appended, LONG);
			Health health = health(context.getBean(CompositeHealthContributor.class));
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("state", "RUNNING").containsKeys("shards", "owners");
		});
		healthy.run((context) -> assertThat(health(context.getBean(CompositeHealthContributor.class)).getDetails())
			.containsEntry("state", "UNUSED"));
	}

	@Test
	void perspectivesAreComponents() {
		assertThat(Perspective.class).hasAnnotation(Component.class);
	}

	@Test
	void isNotThereWhenItIsSwitchedOff() {
		for (String property : List.of("whizbang.enabled=false", "whizbang.events.enabled=false",
				"whizbang.perspectives.enabled=false")) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class,
						EventStoreAutoConfiguration.class, PerspectiveAutoConfiguration.class))
				.withBean(DataSource.class, this.database::unpooledDataSource)
				.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(Perspectives.class)
					.doesNotHaveBean(PerspectiveScanner.class));
		}
	}

	@Test
	void backsOffForEveryBeanOfTheApplication() {
		PerspectiveSettings settings = PerspectiveSettings.defaults().withPages(7, 7);
		CompletionStrategy completion = CompletionStrategy.instant();
		DatabaseReadiness readiness = () -> true;
		Perspectives perspectives = mock(Perspectives.class);
		PerspectiveHandlers handlers = new PerspectiveHandlers();
		EventSignal signal = (appended) -> {
		};
		this.runner.withBean(PerspectiveSettings.class, () -> settings)
			.withBean(CompletionStrategy.class, () -> completion)
			.withBean(DatabaseReadiness.class, () -> readiness)
			.withBean(Perspectives.class, () -> perspectives)
			.withBean(PerspectiveHandlers.class, () -> handlers)
			.withBean(EventSignal.class, () -> signal)
			.withBean(PerspectiveLifecycle.class, () -> new PerspectiveLifecycle(null, null))
			.run((context) -> {
				assertThat(context.getBean(PerspectiveSettings.class)).isSameAs(settings);
				assertThat(context.getBean(CompletionStrategy.class)).isSameAs(completion);
				assertThat(context.getBean(DatabaseReadiness.class)).isSameAs(readiness);
				assertThat(context.getBean(Perspectives.class)).isSameAs(perspectives);
				assertThat(context.getBean(PerspectiveHandlers.class)).isSameAs(handlers);
				assertThat(context.getBean(EventSignal.class)).isSameAs(signal);
				assertThat(context).hasSingleBean(PerspectiveLifecycle.class);
			});
	}

	private static Appended enter(EventStore store, String account, String owner) {
		return store.append(account, ExpectedVersion.any(), new Entered(owner));
	}

	private List<String> owners() {
		return this.database.jdbc().queryForList("select name from owner order by name", String.class);
	}

	private static Health health(CompositeHealthContributor contributor) {
		HealthIndicator indicator = (HealthIndicator) contributor.getContributor("perspectives");
		assertThat(indicator).isNotNull();
		Health health = indicator.health();
		assertThat(health).isNotNull();
		return health;
	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

	@EventType("owner-entered")
	record Entered(String owner) {
	}

	@Perspective(name = "fragile")
	static class Fragile {

		private final AtomicBoolean broken;

		Fragile(AtomicBoolean broken) {
			this.broken = broken;
		}

		@On
		void entered(Entered event, StreamId account) {
			Assert.state(!account.key().equals("fragile") || !this.broken.get(), "not now");
		}

	}

	@Perspective(name = "owners")
	static class Owners {

		private final JdbcTemplate jdbc;

		Owners(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
		}

		@On
		void entered(Entered event, StreamId account) {
			this.jdbc.update("insert into owner values (?, ?)", account.key(), event.owner());
		}

		@OnReset
		void reset() {
			this.jdbc.update("delete from owner");
		}

		@OnReset
		void reset(StreamId account) {
			this.jdbc.update("delete from owner where account = ?", account.key());
		}

	}

}

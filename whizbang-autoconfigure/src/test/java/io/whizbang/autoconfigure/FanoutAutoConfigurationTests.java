package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.fanout.FanoutCandidate;
import io.whizbang.fanout.FanoutCursor;
import io.whizbang.fanout.FanoutHandler;
import io.whizbang.fanout.FanoutLifecycle;
import io.whizbang.fanout.FanoutPlanner;
import io.whizbang.fanout.FanoutSchedule;
import io.whizbang.fanout.FanoutSlice;
import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.Fanouts;
import io.whizbang.test.Await;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.worker.PostgresListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class FanoutAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	FanoutAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					LeaseAutoConfiguration.class, FanoutAutoConfiguration.class))
			.withPropertyValues("spring.application.name=statements", "whizbang.fanout.jitter=0s")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@BeforeEach
	void forget() {
		Integer there = this.database.jdbc()
			.queryForObject("select count(*) from pg_tables where tablename = 'wh_fanout_topics'", Integer.class);
		if (there != null && there > 0) {
			this.database.jdbc()
				.execute("truncate whizbang.wh_fanout_topics, whizbang.wh_fanout_policies, whizbang.wh_fanout_cursors");
		}
	}

	@Test
	void plansAndHandlesWhatBeansSay() {
		this.runner.withBean(Tenants.class).withBean(Statements.class).run((context) -> {
			Statements statements = context.getBean(Statements.class);
			Await.until("both slices", () -> statements.slices.size() == 2);
			assertThat(statements.slices).extracting(FanoutSlice::shardKey).containsExactlyInAnyOrder("t1", "t2");
			Fanouts fanouts = context.getBean(Fanouts.class);
			Await.until("the cursors",
					() -> fanouts.cursors("statements", null, 10)
						.stream()
						.allMatch((cursor) -> cursor.completedUntil() != null));
			assertThat(fanouts.list()).singleElement().satisfies((fanout) -> {
				assertThat(fanout.topic()).isEqualTo("statements");
				assertThat(fanout.definedBy()).isEqualTo("statements");
				assertThat(fanout.plannerPresent()).isTrue();
			});
		});
	}

	@Test
	void anotherInstanceHearsAtOnceThatItIsToRun() {
		String[] slow = { "whizbang.fanout.every=0s", "whizbang.fanout.worker.max-poll-interval=1h",
				"whizbang.fanout.worker.listening-poll-interval=1h" };
		this.runner.withBean(Tenants.class).withBean(Statements.class).withPropertyValues(slow).run((context) -> {
			Statements statements = context.getBean(Statements.class);
			Await.until("both slices", () -> statements.slices.size() == 2);
			Await.until("it to listen", () -> context.getBean(PostgresListener.class).healthy());
			this.runner.withPropertyValues(slow)
				.withPropertyValues("whizbang.outbox.worker.enabled=false")
				.run((other) -> {
					Await.until("both are completed", () -> completed(other.getBean(Fanouts.class)) == 2);
					other.getBean(Fanouts.class).runNow("statements");
					Await.until("both slices again", () -> statements.slices.size() == 4);
				});
		});
	}

	private static long completed(Fanouts fanouts) {
		return fanouts.cursors("statements", null, 10)
			.stream()
			.filter((cursor) -> cursor.plannedUntil() == null)
			.count();
	}

	@Test
	void leavesPlannersToOthersWhenTheWorkerIsSwitchedOff() {
		this.runner.withBean(Tenants.class)
			.withPropertyValues("whizbang.fanout.worker.enabled=false")
			.run((context) -> {
				assertThat(context).hasSingleBean(Fanouts.class).doesNotHaveBean(FanoutLifecycle.class);
				assertThat(context.getBean(Fanouts.class).list()).isEmpty();
			});
	}

	@Test
	void isSwitchedOffAsAWholeOrWithWhatItNeeds() {
		for (String property : List.of("whizbang.fanout.enabled", "whizbang.outbox.enabled",
				"whizbang.leases.enabled")) {
			this.runner.withPropertyValues(property + "=false")
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(Fanouts.class)
					.doesNotHaveBean(FanoutWorker.class));
		}
	}

	@Test
	void twoPlannersOfATopicStopTheStart() {
		this.runner.withBean("one", Tenants.class)
			.withBean("two", Tenants.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("Two planners have the topic \"statements\""));
	}

	@Test
	void tellsItsHealthAndCounts() {
		this.runner
			.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class,
					WhizbangMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(Tenants.class)
			.withBean(Broken.class)
			.withBean(Statements.class)
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				Await.until("both slices", () -> meters.find("whizbang.fanout.lateness").timer() != null
						&& meters.get("whizbang.fanout.lateness").timer().count() == 2);
				assertThat(meters.get("whizbang.fanout.planned").tag("topic", "statements").counter().count())
					.isEqualTo(2);
				assertThat(meters.get("whizbang.fanout.slices").tag("work", "monthly").timer().count()).isEqualTo(2);
				Await.until("the run's end", () -> meters.find("whizbang.fanout.runs").timer() != null);
				Await.until("the failure",
						() -> context.getBean(Fanouts.class).find("broken").filter(FanoutTopic::isFailing).isPresent());
				assertThat(meters.get("whizbang.fanout.run.failures").tag("topic", "broken").counter().count())
					.isEqualTo(1);
				Health health = health(context.getBean(CompositeHealthContributor.class));
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("state", "RUNNING")
					.containsEntry("failing", List.of("broken"))
					.containsEntry("missingPlanners", List.of());
			});
		this.runner.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class))
			.run((context) -> assertThat(health(context.getBean(CompositeHealthContributor.class)).getDetails())
				.containsEntry("state", "NO_PLANNERS")
				.containsEntry("fanouts", 2));
	}

	private static Health health(CompositeHealthContributor parts) {
		HealthIndicator indicator = (HealthIndicator) parts.getContributor("fanout");
		assertThat(indicator).isNotNull();
		Health health = indicator.health();
		assertThat(health).isNotNull();
		return health;
	}

	@Test
	void aTestRunsItByHand() {
		this.runner.withUserConfiguration(ByHand.class)
			.withBean(Tenants.class)
			.withBean(Statements.class)
			.run((context) -> {
				ManualWorker worker = context.getBean(ManualWorker.class);
				assertThat(worker.runUntilIdle()).hasSize(2);
				assertThat(worker.runUntilIdle()).isEmpty();
				context.getBean(DatabaseClock.class).advance(Duration.ofHours(1));
				assertThat(worker.runUntilIdle()).hasSize(2);
				assertThat(context.getBean(Fanouts.class).cursors("statements", null, 10))
					.extracting(FanoutCursor::plans)
					.containsExactly(1, 1);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

	static class Tenants implements FanoutPlanner {

		@Override
		public String topic() {
			return "statements";
		}

		@Override
		public Stream<FanoutCandidate> candidates() {
			return Stream.of("t1", "t2").map((tenant) -> new FanoutCandidate(tenant, "monthly"));
		}

		@Override
		public FanoutSchedule schedule(FanoutSchedule configured) {
			return configured.withInterval(Duration.ofHours(1));
		}

	}

	static class Broken implements FanoutPlanner {

		@Override
		public String topic() {
			return "broken";
		}

		@Override
		public Stream<FanoutCandidate> candidates() {
			throw new IllegalStateException("no tenants today");
		}

		@Override
		public FanoutSchedule schedule(FanoutSchedule configured) {
			return configured.withInterval(Duration.ofHours(1));
		}

	}

	static class Statements {

		final List<FanoutSlice> slices = new CopyOnWriteArrayList<>();

		@FanoutHandler(topic = "statements", workKey = "monthly")
		void write(FanoutSlice slice) {
			this.slices.add(slice);
		}

	}

}

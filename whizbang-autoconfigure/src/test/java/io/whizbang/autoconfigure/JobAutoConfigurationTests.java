package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.job.JdbcJobs;
import io.whizbang.job.JobDefinition;
import io.whizbang.job.JobGauges;
import io.whizbang.job.JobHandler;
import io.whizbang.job.JobHandlers;
import io.whizbang.job.JobLifecycle;
import io.whizbang.job.JobRun;
import io.whizbang.job.JobScanner;
import io.whizbang.job.JobSettings;
import io.whizbang.job.JobStatus;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;
import io.whizbang.job.RunStatus;
import io.whizbang.job.WhizbangJob;
import io.whizbang.test.Await;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.worker.PostgresListener;
import org.jspecify.annotations.Nullable;
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
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

@PostgresTest
class JobAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	JobAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					JobAutoConfiguration.class))
			.withPropertyValues("spring.application.name=reports")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@BeforeEach
	void forget() {
		Integer there = this.database.jdbc()
			.queryForObject("select count(*) from pg_tables where tablename = 'wh_jobs'", Integer.class);
		if (there != null && there > 0) {
			this.database.jdbc().execute("delete from whizbang.wh_jobs");
		}
	}

	@Test
	void runsWhatMethodsDefine() {
		this.runner.withBean(Reports.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.list()).extracting(JobStatus::name).containsExactly("nightly", "often");
			Reports reports = context.getBean(Reports.class);
			Await.until("a run of often", () -> !reports.often.isEmpty());
			long id = jobs.triggerNow("nightly", "now");
			Await.until("a run of nightly", () -> reports.nightly.contains(id + " now"));
			assertThat(jobs.find("nightly").orElseThrow().definedBy()).isEqualTo("reports");
		});
	}

	@Test
	void findsHandlersAndDefinitionsAmongTheBeans() {
		List<JobRun> ran = new CopyOnWriteArrayList<>();
		this.runner
			.withBean("handler", JobHandler.class, () -> JobHandler.of("mail", String.class, (to, run) -> ran.add(run)))
			.withBean(JobDefinition.class, () -> JobDefinition.of("mail").every(Duration.ofMillis(200)).build())
			.run((context) -> Await.until("a run", () -> !ran.isEmpty()));
	}

	@Test
	void anotherInstanceHearsAtOnceOfWhatItIsToRun() {
		String[] slow = { "often=1h", "whizbang.jobs.worker.max-poll-interval=1h",
				"whizbang.jobs.worker.listening-poll-interval=1h" };
		this.runner.withBean(Reports.class).withPropertyValues(slow).run((reports) -> {
			Await.until("it to listen", () -> reports.getBean(PostgresListener.class).healthy());
			this.runner.withPropertyValues(slow).run((other) -> {
				long id = other.getBean(Jobs.class).triggerNow("nightly");
				Await.until("the run", () -> reports.getBean(Reports.class).nightly.contains(id + " null"));
			});
		});
	}

	@Test
	void aBadAnnotationStopsTheStartAndSaysWhy() {
		this.runner.withBean(Wrong.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("61 * * * *"));
	}

	@Test
	void leavesJobsToOthersWhenTheWorkerIsSwitchedOff() {
		this.runner.withBean(Reports.class).withPropertyValues("whizbang.jobs.worker.enabled=false").run((context) -> {
			assertThat(context).hasSingleBean(Jobs.class).doesNotHaveBean(JobLifecycle.class);
			assertThat(context.getBean(JobWorker.class).isRunning()).isFalse();
			assertThat(context.getBean(Jobs.class).list()).isEmpty();
		});
	}

	@Test
	void isSwitchedOffAsAWhole() {
		this.runner.withPropertyValues("whizbang.jobs.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Jobs.class).doesNotHaveBean(JobWorker.class));
	}

	@Test
	void worksWithoutTheOutboxUnlessAJobNeedsIt() {
		this.runner.withBean(Reports.class).withPropertyValues("whizbang.outbox.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Jobs.class).list()).hasSize(2);
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(Jobs.class)
					.createOrUpdate(JobDefinition.of("mail").topic("mails").cron("@daily").build()))
				.withMessageContaining("outbox");
		});
	}

	@Test
	void runsJobsByHandInTests() {
		this.runner.withBean(Reports.class).withUserConfiguration(ByHand.class).run((context) -> {
			ManualWorker worker = context.getBean(ManualWorker.class);
			worker.runUntilIdle();
			Reports reports = context.getBean(Reports.class);
			assertThat(reports.nightly).isEmpty();
			context.getBean(DatabaseClock.class).advance(Duration.ofDays(1));
			worker.runUntilIdle();
			assertThat(reports.nightly).hasSize(1);
			assertThat(context.getBean(Jobs.class).runs("nightly", 5)).singleElement()
				.satisfies((run) -> assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED));
		});
	}

	@Test
	void countsAndShowsWhatBecomesOfJobs() {
		this.runner.withBean(Reports.class)
			.withBean("failing", JobHandler.class, () -> JobHandler.of("failing", String.class, (payload, run) -> {
				throw new PermanentFailureException("no");
			}))
			.withConfiguration(AutoConfigurations.of(WhizbangMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withUserConfiguration(ByHand.class)
			.run((context) -> {
				context.getBean(Jobs.class).createOrUpdate(JobDefinition.of("failing").build());
				context.getBean(Jobs.class).triggerNow("failing");
				context.getBean(ManualWorker.class).runUntilIdle();
				context.getBean(DatabaseClock.class).advance(Duration.ofDays(1));
				context.getBean(ManualWorker.class).runUntilIdle();
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("whizbang.job.runs")
					.tags("job", "nightly", "outcome", "succeeded")
					.timer()
					.count()).isEqualTo(1);
				assertThat(
						registry.get("whizbang.job.runs").tags("job", "failing", "outcome", "failed").timer().count())
					.isEqualTo(1);
				assertThat(registry.get("whizbang.job.lateness").tag("job", "nightly").timer().count()).isEqualTo(1);
				context.getBean(JobGauges.class).bindTo(registry);
				assertThat(registry.get("whizbang.jobs").tag("status", "failing").gauge().value()).isEqualTo(1);
				assertThat(registry.get("whizbang.jobs").tag("status", "stopped").gauge().value()).isZero();
			});
	}

	@Test
	void isPartOfTheHealth() {
		ApplicationContextRunner healthy = this.runner
			.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class));
		healthy.withBean(Reports.class).run((context) -> {
			context.getBean(Jobs.class).createOrUpdate(JobDefinition.of("gone").build());
			this.database.jdbc()
				.update("update whizbang.wh_jobs set updated_at = updated_at - interval '1 hour', problem = 'odd' where name = 'gone'");
			Health health = health(context.getBean(CompositeHealthContributor.class));
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsAllEntriesOf(Map.of("state", "RUNNING", "jobs", 3, "failing",
					List.of(), "missingHandlers", List.of("gone"), "stopped", List.of("gone")));
			MeterRegistry registry = new SimpleMeterRegistry();
			new JobGauges(context.getBean(Jobs.class)::list).bindTo(registry);
			assertThat(registry.get("whizbang.jobs").tag("status", "missing").gauge().value()).isEqualTo(1);
			assertThat(registry.get("whizbang.jobs").tag("status", "stopped").gauge().value()).isEqualTo(1);
		});
		healthy.withPropertyValues("whizbang.jobs.worker.enabled=false")
			.run((context) -> assertThat(health(context.getBean(CompositeHealthContributor.class)).getStatus())
				.isEqualTo(Status.UNKNOWN));
	}

	private static Health health(CompositeHealthContributor contributor) {
		assertThat(contributor.getContributor("jobs")).isInstanceOf(HealthIndicator.class);
		Health health = ((HealthIndicator) contributor.getContributor("jobs")).health();
		assertThat(health).isNotNull();
		return health;
	}

	@Test
	void everyBeanCanBeReplaced() {
		Jobs jobs = mock(Jobs.class);
		JobSettings settings = JobSettings.defaults().withConcurrency(3);
		JobHandlers handlers = new JobHandlers();
		this.runner.withBean(Jobs.class, () -> jobs)
			.withBean(JobSettings.class, () -> settings)
			.withBean(JobHandlers.class, () -> handlers)
			.run((context) -> {
				assertThat(context.getBean(Jobs.class)).isSameAs(jobs);
				assertThat(context).doesNotHaveBean(JdbcJobs.class).hasSingleBean(JobScanner.class);
				assertThat(context.getBean(JobSettings.class)).isSameAs(settings);
				assertThat(context.getBean(JobHandlers.class)).isSameAs(handlers);
			});
	}

	static class Reports {

		final List<String> nightly = new CopyOnWriteArrayList<>();

		final List<Long> often = new CopyOnWriteArrayList<>();

		@WhizbangJob(name = "nightly", cron = "0 0 3 * * *", zone = "Europe/Berlin")
		void nightly(@Nullable String payload, JobRun run) {
			this.nightly.add(run.id() + " " + payload);
		}

		@WhizbangJob(name = "often", every = "${often:500ms}")
		void often(JobRun run) {
			this.often.add(run.id());
		}

	}

	static class Wrong {

		@WhizbangJob(cron = "61 * * * *")
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

}

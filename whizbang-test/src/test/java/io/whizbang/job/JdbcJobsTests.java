package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What applications do with jobs, by a clock that the test sets.
 */
@PostgresTest
class JdbcJobsTests {

	private static final Instant NOON = Instant.parse("2030-03-10T12:00:00Z");

	private final PostgresDatabase database;

	private JobFixture fixture;

	private JobInstance instance;

	private Jobs jobs;

	private TransactionTemplate transaction;

	JdbcJobsTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JobFixture(this.database);
		this.fixture.clock.set(NOON);
		this.instance = this.fixture.manual(JobHandler.of("job", String.class, (payload, run) -> {
		}));
		this.jobs = this.instance.jobs;
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.instance.pool));
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	private static JobDefinition.Builder daily() {
		return JobDefinition.of("job").cron("@daily");
	}

	private JobStatus job() {
		return this.jobs.find("job").orElseThrow();
	}

	@Test
	void createsAJobAndTellsWhenItRunsNext() {
		assertThat(this.jobs.createOrUpdate(daily().zone("Asia/Tokyo").build())).isEqualTo(JobChange.CREATED);
		assertThat(job().nextRun()).isEqualTo(Instant.parse("2030-03-10T15:00:00Z"));
		assertThat(job().definedBy()).isEqualTo("app");
		assertThat(job().lastRun()).isNull();
		assertThat(job().handlerPresent()).isTrue();
	}

	@Test
	void definingTheSameAgainPutsNothingOff() {
		JobDefinition every = JobDefinition.of("job").every(Duration.ofHours(1)).payload(List.of(1, 2)).build();
		this.jobs.createOrUpdate(every);
		this.fixture.clock.advance(Duration.ofMinutes(59));
		assertThat(this.jobs.createOrUpdate(every)).isEqualTo(JobChange.UNCHANGED);
		assertThat(job().nextRun()).isEqualTo(NOON.plusSeconds(3600));
	}

	@Test
	void anotherPayloadLeavesTheNextTimeAndAnotherCadenceDoesNot() {
		this.jobs.createOrUpdate(JobDefinition.of("job").every(Duration.ofHours(1)).payload("a").build());
		this.fixture.clock.advance(Duration.ofMinutes(10));
		assertThat(this.jobs.createOrUpdate(JobDefinition.of("job").every(Duration.ofHours(1)).payload("b").build()))
			.isEqualTo(JobChange.CHANGED);
		assertThat(job().nextRun()).isEqualTo(NOON.plusSeconds(3600));
		this.jobs.createOrUpdate(daily().build());
		assertThat(job().nextRun()).isEqualTo(Instant.parse("2030-03-11T00:00:00Z"));
		this.jobs.createOrUpdate(daily().zone("America/New_York").build());
		assertThat(job().nextRun()).isEqualTo(Instant.parse("2030-03-11T04:00:00Z"));
		this.jobs.createOrUpdate(daily().zone("America/New_York").enabled(false).build());
		assertThat(job().nextRun()).isNull();
		this.jobs.createOrUpdate(daily().zone("America/New_York").build());
		assertThat(job().nextRun()).isEqualTo(Instant.parse("2030-03-11T04:00:00Z"));
	}

	@Test
	void aPauseOutlastsANewStartOfTheApplication() {
		this.jobs.createOrUpdate(daily().build());
		this.jobs.disable("job");
		this.jobs.createOrUpdate(daily().build());
		this.jobs.createOrUpdate(daily().zone("Asia/Tokyo").build());
		assertThat(job().paused()).isTrue();
		assertThat(job().nextRun()).isNull();
		this.jobs.enable("job");
		assertThat(job().nextRun()).isEqualTo(Instant.parse("2030-03-10T15:00:00Z"));
	}

	@Test
	void enablingAJobThatIsEnabledPutsNothingOff() {
		this.jobs.createOrUpdate(JobDefinition.of("job").every(Duration.ofHours(1)).build());
		this.fixture.clock.advance(Duration.ofMinutes(30));
		this.jobs.enable("job");
		assertThat(job().nextRun()).isEqualTo(NOON.plusSeconds(3600));
	}

	@Test
	void aPayloadReachesTheHandlerAndATriggerMayGiveAnother() {
		List<String> got = new ArrayList<>();
		JobInstance reader = this.fixture
			.manual(JobHandler.of("reader", Mail.class, (mail, run) -> got.add((mail != null) ? mail.to() : "none")));
		this.jobs.createOrUpdate(JobDefinition.of("first").handler("reader").payload(new Mail("a")).build());
		this.jobs.createOrUpdate(JobDefinition.of("second").handler("reader").build());
		this.jobs.triggerNow("first");
		this.jobs.triggerNow("first", new Mail("b"));
		this.jobs.triggerNow("second");
		reader.run();
		assertThat(got).containsExactlyInAnyOrder("a", "b", "none");
	}

	@Test
	void aPayloadThatCannotBeReadIsAFailure() {
		JobInstance reader = this.fixture.manual(JobHandler.of("reader", Mail.class, (mail, run) -> {
		}));
		this.jobs.createOrUpdate(
				JobDefinition.of("reader").payload("no mail").retry(RetryPolicy.defaults().withMaxAttempts(1)).build());
		this.jobs.triggerNow("reader");
		reader.run();
		assertThat(this.fixture.statuses("reader")).containsExactly("failed");
		assertThat(this.jobs.find("reader").orElseThrow().failing()).isTrue();
	}

	@Test
	void whatATransactionDoesIsThereIfItCommits() {
		this.transaction.executeWithoutResult((status) -> {
			this.jobs.createOrUpdate(daily().build());
			this.jobs.triggerNow("job");
			assertThat(this.jobs.find("job")).isPresent();
			assertThat(this.fixture.count("select count(*) from whizbang.wh_jobs")).isZero();
			status.setRollbackOnly();
		});
		assertThat(this.jobs.find("job")).isEmpty();
		this.transaction.executeWithoutResult((status) -> {
			this.jobs.createOrUpdate(daily().build());
			this.jobs.triggerNow("job");
		});
		assertThat(job().openRuns()).isEqualTo(1);
	}

	@Test
	void refusesAReadOnlyTransaction() {
		this.transaction.setReadOnly(true);
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.transaction.executeWithoutResult((status) -> this.jobs.createOrUpdate(daily().build())))
			.withMessageContaining("read-only");
	}

	@Test
	void deletesAJobWithItsRuns() {
		this.jobs.createOrUpdate(daily().build());
		this.jobs.triggerNow("job");
		assertThat(this.jobs.delete("job")).isTrue();
		assertThat(this.jobs.delete("job")).isFalse();
		assertThat(this.jobs.find("job")).isEmpty();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_job_runs")).isZero();
		this.instance.run();
		assertThat(this.instance.heard.ended).isEmpty();
	}

	@Test
	void saysWhichJobThereIsNot() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.triggerNow("what"))
			.withMessageContaining("what");
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.enable("what")).withMessageContaining("what");
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.disable("what")).withMessageContaining("what");
		assertThat(this.jobs.runs("what", 10)).isEmpty();
	}

	@Test
	void listsJobsAndRunsPageByPage() {
		for (String name : List.of("c", "a", "b")) {
			this.jobs.createOrUpdate(JobDefinition.of(name).handler("job").build());
		}
		assertThat(this.jobs.list()).extracting(JobStatus::name).containsExactly("a", "b", "c");
		assertThat(this.jobs.list("a", 1)).extracting(JobStatus::name).containsExactly("b");
		for (int i = 0; i < 5; i++) {
			this.jobs.triggerNow("a");
		}
		this.instance.run();
		List<RunRecord> first = this.jobs.runs("a", 3);
		List<RunRecord> second = this.jobs.runs("a", first.get(2).id(), 3);
		assertThat(first).hasSize(3);
		assertThat(second).hasSize(2);
		assertThat(second.get(0).id()).isLessThan(first.get(2).id());
		assertThat(first).allSatisfy((run) -> {
			assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
			assertThat(run.duration()).isEqualTo(Duration.ZERO);
			assertThat(run.instance()).startsWith("app@localhost:");
		});
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.list(null, 0)).withMessageContaining("0");
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.runs("a", 1001)).withMessageContaining("1001");
	}

	@Test
	void twoThatDefineTheSameJobAtOnceMakeOne() throws Exception {
		AtomicReference<JobChange> other = new AtomicReference<>();
		Thread thread = new Thread(() -> other.set(this.fixture.manual().jobs.createOrUpdate(daily().build())));
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.jobs.createOrUpdate(daily().build())).isEqualTo(JobChange.CREATED);
			thread.start();
			Await.until("the other one to wait", () -> this.fixture.count(
					"select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%define_job%'") > 0);
		});
		thread.join();
		assertThat(other.get()).isEqualTo(JobChange.UNCHANGED);
	}

	@Test
	void jobsOfOneDeploymentAreNotDeletedByAnother() {
		JobInstance other = this.fixture.manual(JobHandler.of("other", String.class, (payload, run) -> {
		}));
		this.instance.handlers.define(daily().build());
		other.handlers.define(JobDefinition.of("other").cron("@daily").build());
		this.instance.run();
		other.run();
		this.instance.run();
		assertThat(this.jobs.list()).extracting(JobStatus::name).containsExactly("job", "other");
		this.fixture.clock.advance(Duration.ofDays(1));
		this.instance.run();
		assertThat(this.fixture.statuses("job")).containsExactly("succeeded");
		assertThat(this.fixture.statuses("other")).containsExactly("pending");
		assertThat(this.jobs.find("other").orElseThrow().handlerPresent()).isFalse();
		assertThat(this.jobs.find("other").orElseThrow().handlerSeenAt()).isNotNull();
		other.run();
		assertThat(this.fixture.statuses("other")).containsExactly("succeeded");
	}

	@Test
	void howLongAHandlerHasNotBeenSeenIsToldByTheClockThatItWasSeenBy() {
		JobInstance other = this.fixture.manual();
		this.instance.handlers.define(daily().build());
		this.instance.run();
		assertThat(other.jobs.find("job").orElseThrow().handlerUnseen()).isZero();
		this.fixture.clock.advance(Duration.ofMinutes(3));
		assertThat(other.jobs.find("job").orElseThrow().isHandlerMissing()).isFalse();
		this.fixture.clock.advance(Duration.ofMillis(1));
		assertThat(other.jobs.list()).singleElement().satisfies((job) -> assertThat(job.isHandlerMissing()).isTrue());
	}

	@Test
	void aJobThatIsDefinedAsDisabledCannotBeEnabledByTheWay() {
		this.jobs.createOrUpdate(daily().enabled(false).build());
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enable("job"))
			.withMessageContaining("\"job\"")
			.withMessageContaining("enabled(true)");
		this.jobs.createOrUpdate(daily().enabled(true).build());
		this.jobs.enable("job");
		assertThat(this.jobs.find("job").orElseThrow().nextRun()).isNotNull();
	}

	@Test
	void keepsTheLastRunsAndForgetsTheOthers() {
		this.jobs.createOrUpdate(daily().build());
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_job_runs (job_name, scheduled_at, triggered, status, due_at, ended_at)
					select 'job', t, false, 3, t, t from generate_series(timestamptz '2030-03-10 12:00Z' - interval '1500 minutes',
					    '2030-03-10 11:59Z', interval '1 minute') t""");
		new JobChores(this.instance.parts).purge();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_job_runs")).isEqualTo(1000);
		this.jobs.triggerNow("job");
		this.fixture.clock.advance(Duration.ofDays(31));
		new JobChores(this.instance.parts).purge();
		assertThat(this.fixture.statuses("job")).as("the last one that is over, and the one that is not")
			.containsExactly("succeeded", "pending");
	}

	record Mail(String to) {
	}

}

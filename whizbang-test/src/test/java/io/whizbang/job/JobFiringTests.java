package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.HeaderNames;
import io.whizbang.outbox.UnroutableTopicException;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When jobs fire, by a clock that the test sets.
 */
@PostgresTest
class JobFiringTests {

	private static final Instant NOON = Instant.parse("2030-03-10T12:00:00Z");

	private final PostgresDatabase database;

	private final List<JobRun> ran = new ArrayList<>();

	private JobFixture fixture;

	private JobInstance instance;

	JobFiringTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JobFixture(this.database);
		this.fixture.clock.set(NOON.minusSeconds(1));
		this.instance = this.fixture.manual(recorder("job"), recorder("other"));
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	private JobHandler<String> recorder(String name) {
		return JobHandler.of(name, String.class, (payload, run) -> this.ran.add(run));
	}

	private List<Instant> ranFor() {
		return this.ran.stream().map(JobRun::scheduledAt).toList();
	}

	private void hourly() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").build());
	}

	private Instant next(String job) {
		return this.instance.jobs.find(job).orElseThrow().nextRun();
	}

	@Test
	void firesWhenItsTimeHasComeAndNotEarlier() {
		hourly();
		this.instance.run();
		assertThat(this.ran).isEmpty();
		this.fixture.clock.set(NOON.minusNanos(1000));
		this.instance.run();
		assertThat(this.ran).isEmpty();
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON);
		assertThat(next("job")).isEqualTo(NOON.plusSeconds(3600));
		this.instance.run();
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void whoIsTooLateToFireChangesNothing() {
		hourly();
		this.fixture.clock.set(NOON);
		DueJob stale = this.instance.store.due(List.of(), 10).get(0);
		this.instance.run();
		this.fixture.clock.set(NOON.plusSeconds(3600));
		this.instance.run();
		JdbcJobStore.Plan plan = new JdbcJobStore.Plan(List.of(NOON.plusSeconds(1)), NOON.plusSeconds(3600), NOON,
				"late");
		assertThat(this.instance.store.fire(stale, plan, "late")).contains(List.of());
		assertThat(next("job")).isEqualTo(NOON.plusSeconds(7200));
		this.fixture.clock.set(NOON.plusSeconds(7200));
		DueJob outdated = this.instance.store.due(List.of(), 10).get(0);
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").payload("other").build());
		assertThat(this.instance.store.fire(outdated, plan, "late")).contains(List.of());
		assertThat(this.fixture.statuses("job")).containsExactly("succeeded", "succeeded");
	}

	@Test
	void theDatabasesClockDecidesAndNotThatOfTheProcess() {
		// The clock that stands for the database's is years ahead of this process's.
		hourly();
		assertThat(next("job")).isEqualTo(NOON);
		this.fixture.clock.set(NOON.plus(Duration.ofHours(2)).minusSeconds(1));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON.plusSeconds(3600));
		RunRecord run = this.instance.jobs.runs("job", 10).get(0);
		assertThat(run.startedAt()).isEqualTo(NOON.plus(Duration.ofHours(2)).minusSeconds(1));
	}

	@Test
	void anIntervalDoesNotDrift() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").every(Duration.ofMinutes(10)).build());
		Instant first = NOON.minusSeconds(1).plusSeconds(600);
		assertThat(next("job")).isEqualTo(first);
		this.fixture.clock.set(first.plusSeconds(123));
		this.instance.run();
		assertThat(next("job")).isEqualTo(first.plusSeconds(600));
		this.fixture.clock.set(first.plusSeconds(600 + 599));
		this.instance.run();
		assertThat(ranFor()).containsExactly(first, first.plusSeconds(600));
		assertThat(next("job")).isEqualTo(first.plusSeconds(1200));
	}

	@Test
	void oneRunMakesUpForAllThatAStoppedClusterHasMissed() {
		hourly();
		this.fixture.clock.set(NOON.plus(Duration.ofHours(5)).plusSeconds(20));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON.plus(Duration.ofHours(5)));
		assertThat(next("job")).isEqualTo(NOON.plus(Duration.ofHours(6)));
		assertThat(this.instance.heard.missed).containsExactly("job");
	}

	@Test
	void missedTimesAreSkippedAndSeenInTheHistory() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").misfire(Misfire.SKIP).build());
		this.fixture.clock.set(NOON.plus(Duration.ofHours(5)).plusSeconds(20));
		this.instance.run();
		assertThat(this.ran).isEmpty();
		assertThat(next("job")).isEqualTo(NOON.plus(Duration.ofHours(6)));
		RunRecord skipped = this.instance.jobs.runs("job", 10).get(0);
		assertThat(skipped.status()).isEqualTo(RunStatus.SKIPPED);
		assertThat(skipped.scheduledAt()).isEqualTo(NOON.plus(Duration.ofHours(5)));
		assertThat(skipped.error()).contains("missed");
	}

	@Test
	void aJobThatSkipsMissedTimesForgivesAMoment() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").misfire(Misfire.SKIP).build());
		this.fixture.clock.set(NOON.plusSeconds(9));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON);
		this.fixture.clock.set(NOON.plus(Duration.ofHours(3)).plusSeconds(2));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON, NOON.plus(Duration.ofHours(3)));
	}

	@Test
	void catchesUpOnTheLatestTimesWithTheOldestFirst() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").catchUp(3).build());
		this.fixture.clock.set(NOON.plus(Duration.ofHours(5)).plusSeconds(20));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON.plus(Duration.ofHours(3)), NOON.plus(Duration.ofHours(4)),
				NOON.plus(Duration.ofHours(5)));
		assertThat(next("job")).isEqualTo(NOON.plus(Duration.ofHours(6)));
		assertThat(this.fixture.statuses("job")).containsExactly("skipped", "succeeded", "succeeded", "succeeded");
	}

	@Test
	void catchesUpOnAllTimesWhenThereAreNotMore() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 * * * *").catchUp(10).build());
		this.fixture.clock.set(NOON.plus(Duration.ofHours(2)));
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON, NOON.plus(Duration.ofHours(1)), NOON.plus(Duration.ofHours(2)));
		assertThat(this.fixture.statuses("job")).doesNotContain("skipped");
	}

	@Test
	void doesNotFireWhileARunIsOpenAndThenItsPolicyDecides() {
		for (Misfire misfire : Misfire.values()) {
			this.ran.clear();
			this.fixture.clock.set(NOON.minusSeconds(1));
			this.instance.jobs.delete("job");
			JobDefinition.Builder job = JobDefinition.of("job").cron("* * * * *").misfire(misfire);
			this.instance.jobs.createOrUpdate((misfire == Misfire.CATCH_UP) ? job.catchUp(2).build() : job.build());
			JobInstance without = this.fixture.manual();
			this.fixture.clock.set(NOON);
			without.run();
			assertThat(this.fixture.statuses("job")).containsExactly("pending");
			ClaimedRun open = this.instance.store.claim(new UUID(0, 1), "there", List.of("job"), 1, Duration.ofDays(1))
				.get(0);
			this.fixture.clock.set(NOON.plusSeconds(5 * 60 + 2));
			this.instance.run();
			assertThat(this.fixture.statuses("job")).as("while one is open").containsExactly("running");
			this.instance.store.end(open.run(), RunStatus.SUCCEEDED, Duration.ZERO, null);
			this.instance.run();
			List<Instant> expected = switch (misfire) {
				case COALESCE -> List.of(NOON.plusSeconds(300));
				case SKIP -> List.of();
				case CATCH_UP -> List.of(NOON.plusSeconds(240), NOON.plusSeconds(300));
			};
			assertThat(ranFor()).as("%s", misfire).isEqualTo(expected);
			assertThat(next("job")).isEqualTo(NOON.plusSeconds(360));
		}
	}

	@Test
	void runsMayGoSideBySideWhereThatIsAllowed() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("* * * * *").overlap(true).build());
		JobInstance without = this.fixture.manual();
		for (int minute = 0; minute < 3; minute++) {
			this.fixture.clock.set(NOON.plusSeconds(minute * 60L));
			without.run();
			assertThat(this.instance.store.claim(new UUID(0, 1), "there", List.of("job"), 1, Duration.ofDays(1)))
				.hasSize(1);
		}
		assertThat(this.fixture.statuses("job")).containsExactly("running", "running", "running");
	}

	@Test
	void runsThatNobodyStartsDoNotPileUp() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("nobody").cron("* * * * *").overlap(true).build());
		for (int minute = 0; minute < 10; minute++) {
			this.fixture.clock.set(NOON.plusSeconds(minute * 60L));
			this.instance.run();
		}
		assertThat(this.fixture.statuses("nobody")).containsExactly("pending");
		JobStatus job = this.instance.jobs.find("nobody").orElseThrow();
		assertThat(job.handlerPresent()).isFalse();
		assertThat(job.openRuns()).isEqualTo(1);
	}

	@Test
	void aJobWhoseHandlerIsMissingWaitsForIt() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("late").cron("0 * * * *").build());
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(this.fixture.statuses("late")).containsExactly("pending");
		this.fixture.manual(recorder("late")).run();
		assertThat(ranFor()).containsExactly(NOON);
		assertThat(this.fixture.statuses("late")).containsExactly("succeeded");
	}

	@Test
	void firesNothingThatIsDisabledOrPausedAndGoesOnFromThereAfterwards() {
		hourly();
		this.instance.jobs.createOrUpdate(JobDefinition.of("other").cron("0 * * * *").enabled(false).build());
		this.instance.jobs.disable("job");
		this.fixture.clock.set(NOON.plus(Duration.ofHours(5)).plusSeconds(1));
		this.instance.run();
		assertThat(this.ran).isEmpty();
		assertThat(next("job")).isNull();
		this.instance.jobs.enable("job");
		this.instance.run();
		assertThat(this.ran).as("what was missed in the pause was not to happen").isEmpty();
		assertThat(next("job")).isEqualTo(NOON.plus(Duration.ofHours(6)));
		assertThat(next("other")).isNull();
	}

	@Test
	void aTriggeredRunLeavesTheCadenceAlone() {
		hourly();
		long id = this.instance.jobs.triggerNow("job");
		this.instance.run();
		assertThat(this.ran).extracting(JobRun::id).containsExactly(id);
		assertThat(this.ran.get(0).triggered()).isTrue();
		assertThat(next("job")).isEqualTo(NOON);
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(this.ran).hasSize(2);
	}

	@Test
	void aJobWithoutACadenceRunsOnceForEachTrigger() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		this.instance.run();
		assertThat(this.ran).isEmpty();
		this.instance.jobs.triggerNow("job");
		this.instance.run();
		this.fixture.clock.advance(Duration.ofDays(1));
		this.instance.run();
		assertThat(this.ran).hasSize(1);
		assertThat(next("job")).isNull();
		assertThat(this.fixture.statuses("job")).containsExactly("succeeded");
	}

	@Test
	void aRunThatMayBeTriedOnceIsNotTriedAgain() {
		JobInstance failing = this.fixture.manual(JobHandler.of("failing", String.class, (payload, run) -> {
			this.ran.add(run);
			throw new IllegalStateException("out of paper");
		}));
		this.instance.jobs
			.createOrUpdate(JobDefinition.of("failing").retry(RetryPolicy.defaults().withMaxAttempts(1)).build());
		this.instance.jobs.triggerNow("failing");
		failing.run();
		this.fixture.clock.advance(Duration.ofDays(1));
		failing.run();
		assertThat(this.ran).hasSize(1);
		assertThat(this.fixture.statuses("failing")).containsExactly("failed");
	}

	@Test
	void aPausedJobCanBeTriggered() {
		hourly();
		this.instance.jobs.disable("job");
		this.instance.jobs.triggerNow("job");
		this.instance.run();
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void aRowThatSomebodyBrokeIsReportedAndStopsNoOther() {
		hourly();
		this.instance.jobs.createOrUpdate(JobDefinition.of("broken").handler("other").cron("0 * * * *").build());
		this.instance.jobs.createOrUpdate(JobDefinition.of("lost").handler("other").cron("0 * * * *").build());
		this.fixture.jdbc.update("update whizbang.wh_jobs set cron = 'every full moon' where name = 'broken'");
		this.fixture.jdbc.update("update whizbang.wh_jobs set zone = 'Mars/Base' where name = 'lost'");
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON);
		JobStatus broken = this.instance.jobs.find("broken").orElseThrow();
		assertThat(broken.problem()).contains("every full moon");
		assertThat(broken.nextRun()).isNull();
		assertThat(this.instance.jobs.find("lost").orElseThrow().problem()).contains("Mars/Base");
		this.instance.jobs.createOrUpdate(JobDefinition.of("broken").handler("other").cron("0 * * * *").build());
		assertThat(this.instance.jobs.find("broken").orElseThrow().problem()).isNull();
		this.fixture.clock.set(NOON.plusSeconds(3600));
		this.instance.run();
		assertThat(this.ran).extracting(JobRun::job).containsExactlyInAnyOrder("job", "job", "broken");
	}

	@Test
	void aJobWithATopicPutsAMessageIntoTheOutboxTogetherWithItsRun() {
		this.instance.jobs
			.createOrUpdate(JobDefinition.of("mail").topic("mails").cron("0 * * * *").payload(new Mail("all")).build());
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(this.fixture.statuses("mail")).containsExactly("succeeded");
		assertThat(this.fixture.jdbc.queryForObject("select payload from whizbang.wh_outbox where topic = 'mails'",
				String.class))
			.isEqualTo("{\"to\":\"all\"}");
		assertThat(this.fixture.jdbc.queryForObject("select message_type from whizbang.wh_outbox", String.class))
			.isEqualTo(Mail.class.getName());
		assertThat(this.fixture.jdbc.queryForObject("select headers ->> ? from whizbang.wh_outbox", String.class,
				HeaderNames.JOB_SCHEDULED_AT))
			.isEqualTo(NOON.toString());
		this.instance.jobs.triggerNow("mail", new Mail("one"));
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isEqualTo(2);
	}

	@Test
	void aMessageThatTheOutboxRefusesLeavesTheJobWhereItWasAndStopsNoOther() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("aaa").topic("nowhere").cron("0 * * * *").build());
		hourly();
		this.instance.topics = (topic) -> {
			throw new UnroutableTopicException("no way to " + topic);
		};
		this.fixture.clock.set(NOON);
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON);
		assertThat(this.fixture.statuses("aaa")).isEmpty();
		assertThat(next("aaa")).isEqualTo(NOON);
		JobInstance other = this.fixture.manual();
		other.run();
		assertThat(this.fixture.statuses("aaa")).containsExactly("succeeded");
	}

	@Test
	void anOpenTransactionThatHasChangedAJobHoldsUpThatJobAndNoOther() {
		JobInstance user = this.fixture.manual();
		Map<String, Runnable> changes = new LinkedHashMap<>();
		changes.put("defined", () -> user.jobs
			.createOrUpdate(JobDefinition.of("aaa").handler("other").cron("0 * * * *").payload("new").build()));
		changes.put("disabled", () -> user.jobs.disable("aaa"));
		changes.put("deleted", () -> user.jobs.delete("aaa"));
		hourly();
		Instant time = NOON;
		for (Map.Entry<String, Runnable> change : changes.entrySet()) {
			this.ran.clear();
			this.instance.jobs
				.createOrUpdate(JobDefinition.of("aaa").handler("other").cron("0 * * * *").payload("old").build());
			Instant now = time;
			this.fixture.clock.set(now);
			user.transaction().executeWithoutResult((status) -> {
				change.getValue().run();
				this.instance.run();
				assertThat(this.ran).as("while it is being %s", change.getKey())
					.extracting(JobRun::job)
					.containsExactly("job");
				assertThat(ranFor()).containsExactly(now);
				status.setRollbackOnly();
			});
			this.instance.run();
			assertThat(this.ran).as("after it was not %s", change.getKey())
				.extracting(JobRun::job)
				.containsExactly("job", "aaa");
			time = time.plusSeconds(3600);
		}
	}

	@Test
	void aJobThatIsBeingChangedIsNotFiredAsItWas() {
		JobInstance user = this.fixture.manual();
		this.instance.jobs.createOrUpdate(JobDefinition.of("mail").topic("mails").cron("0 * * * *").build());
		hourly();
		this.fixture.clock.set(NOON);
		user.transaction().executeWithoutResult((status) -> {
			user.jobs.disable("mail");
			user.jobs.delete("job");
			this.instance.run();
		});
		this.instance.run();
		assertThat(this.fixture.statuses("mail")).isEmpty();
		assertThat(this.ran).isEmpty();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isZero();
	}

	@Test
	void anOpenTransactionThatHasTriggeredAJobDoesNotHoldItUp() {
		JobInstance user = this.fixture.manual();
		hourly();
		this.fixture.clock.set(NOON);
		user.transaction().executeWithoutResult((status) -> {
			user.jobs.triggerNow("job");
			this.instance.run();
			assertThat(ranFor()).containsExactly(NOON);
		});
	}

	@Test
	void whoWaitsForTheNextJobDoesNotCountThoseThatItCannotFire() {
		hourly();
		this.instance.jobs.createOrUpdate(JobDefinition.of("aaa").cron("59 * * * *").build());
		this.fixture.clock.set(NOON.plusSeconds(59 * 60 - 10));
		assertThat(this.instance.store.untilNext(List.of(), List.of())).isZero();
		assertThat(this.instance.store.untilNext(List.of(), List.of("job"))).isEqualTo(Duration.ofSeconds(10));
		assertThat(this.instance.store.untilNext(List.of(), List.of("job", "aaa"))).isNull();
	}

	@Test
	void aDefinitionThatCannotBeReadHereIsLeftToThoseWhoCan() {
		JobInstance without = this.fixture.manual();
		hourly();
		this.fixture.jdbc.update("update whizbang.wh_jobs set zone = 'Mars/Base'");
		this.fixture.clock.set(NOON);
		without.run();
		assertThat(this.instance.jobs.find("job").orElseThrow().problem()).isNull();
		assertThat(next("job")).isEqualTo(NOON);
		// What one instance cannot read another one can: its release is newer.
		this.fixture.jdbc.update("update whizbang.wh_jobs set zone = 'UTC'");
		this.instance.run();
		assertThat(ranFor()).containsExactly(NOON);
	}

	@Test
	void aDefinitionThatNobodyReadsForMinutesIsReported() {
		JobInstance without = this.fixture.manual();
		hourly();
		this.instance.jobs.createOrUpdate(JobDefinition.of("mail").topic("mails").cron("0 * * * *").build());
		this.fixture.jdbc.update("update whizbang.wh_jobs set zone = 'Mars/Base'");
		Instant later = NOON.plus(Duration.ofHours(5));
		this.fixture.clock.set(later);
		without.run();
		this.fixture.clock.set(later.plus(Duration.ofMinutes(2)).minusSeconds(1));
		without.run();
		assertThat(this.instance.jobs.find("job").orElseThrow().problem()).as("it was seen only now").isNull();
		this.fixture.clock.set(later.plus(Duration.ofMinutes(2)));
		without.run();
		assertThat(this.instance.jobs.find("job").orElseThrow().problem()).contains("Mars/Base");
		assertThat(this.instance.jobs.find("mail").orElseThrow().problem()).contains("Mars/Base");
	}

	@Test
	void firesInTheTimeZoneOfTheJob() {
		this.instance.jobs.createOrUpdate(JobDefinition.of("job").cron("0 30 2 * * *").zone("Europe/Berlin").build());
		this.fixture.clock.set(Instant.parse("2030-03-31T01:00:00Z"));
		this.instance.run();
		assertThat(ranFor()).as("half past two does not exist on this day")
			.containsExactly(Instant.parse("2030-03-31T01:00:00Z"));
		assertThat(next("job")).isEqualTo(Instant.parse("2030-04-01T00:30:00Z"));
	}

	record Mail(String to) {
	}

}

package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Instances that run jobs on their own threads, by the database's clock.
 */
@PostgresTest
class JobWorkerTests {

	private static final JobSettings SHORT_LEASE = JobFixture.SETTINGS.withLease(Duration.ofMillis(600));

	private final PostgresDatabase database;

	private JobFixture fixture;

	JobWorkerTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JobFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	private void awaitStatuses(String job, String... statuses) {
		Await.until(() -> job + " to be " + List.of(statuses) + " but is " + this.fixture.statuses(job),
				() -> this.fixture.statuses(job).equals(List.of(statuses)));
	}

	@Test
	void eachTimeIsRunOnceWhateverTheNumberOfInstances() {
		List<Instant> ran = new CopyOnWriteArrayList<>();
		JobHandler<String> handler = JobHandler.of("job", String.class, (payload, run) -> ran.add(run.scheduledAt()));
		List<JobInstance> instances = List.of(this.fixture.start(handler), this.fixture.start(handler),
				this.fixture.start(handler));
		instances.get(0).jobs
			.createOrUpdate(JobDefinition.of("job").every(Duration.ofMillis(100)).overlap(true).catchUp(100).build());
		Await.until(() -> "40 runs but there are " + ran.size(), () -> ran.size() >= 40);
		instances.get(0).jobs.disable("job");
		Await.until("all to be over",
				() -> this.fixture.count("select count(*) from whizbang.wh_job_runs where status < 3") == 0);
		instances.forEach(JobInstance::close);
		assertThat(ran).doesNotHaveDuplicates().hasSize(this.fixture.times("job").size());
		List<Instant> times = this.fixture.times("job");
		for (int i = 1; i < times.size(); i++) {
			assertThat(Duration.between(times.get(i - 1), times.get(i))).as("none is left out, none is early")
				.isEqualTo(Duration.ofMillis(100));
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_job_runs where started_at < scheduled_at"))
			.isZero();
		instances.forEach((instance) -> assertThat(instance.heard.lateness)
			.allSatisfy((late) -> assertThat(late).isGreaterThanOrEqualTo(Duration.ZERO)));
	}

	@Test
	void timesAreHandedOverOnceWhileInstancesAndSessionsAreKilled() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		List<JobInstance> alive = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			alive.add(this.fixture.start());
		}
		alive.get(0).jobs.createOrUpdate(JobDefinition.of("mail")
			.topic("mails")
			.every(Duration.ofMillis(100))
			.catchUp(JobDefinition.MAX_CATCH_UP)
			.build());
		for (int killed = 1; killed <= 12; killed++) {
			int sent = 5 * killed;
			Await.until(sent + " messages with seed " + seed,
					() -> this.fixture.count("select count(*) from whizbang.wh_outbox") >= sent);
			if (random.nextInt(4) == 0) {
				this.database.terminateBackends();
			}
			else {
				alive.remove(random.nextInt(alive.size())).cutOff();
				alive.add(this.fixture.start());
			}
		}
		alive.forEach(JobInstance::close);
		List<Instant> times = this.fixture.times("mail");
		for (int i = 1; i < times.size(); i++) {
			assertThat(Duration.between(times.get(i - 1), times.get(i))).as("with seed %d", seed)
				.isEqualTo(Duration.ofMillis(100));
		}
		assertThat(this.fixture.jdbc.queryForList(
				"select (headers ->> 'whizbang-job-scheduled-at')::timestamptz from whizbang.wh_outbox order by 1",
				OffsetDateTime.class))
			.as("messages, with seed %d", seed)
			.extracting(OffsetDateTime::toInstant)
			.isEqualTo(times);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox "
				+ "where created_at < (headers ->> 'whizbang-job-scheduled-at')::timestamptz"))
			.as("messages that are early")
			.isZero();
	}

	@Test
	void runsThatMayNotOverlapNeverDo() {
		AtomicInteger now = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger total = new AtomicInteger();
		JobHandler<String> handler = JobHandler.of("job", String.class, (payload, run) -> {
			most.accumulateAndGet(now.incrementAndGet(), Math::max);
			TimeUnit.MILLISECONDS.sleep(run.id() % 7);
			now.decrementAndGet();
			total.incrementAndGet();
		});
		List<JobInstance> instances = List.of(this.fixture.start(handler), this.fixture.start(handler),
				this.fixture.start(handler));
		instances.get(0).jobs.createOrUpdate(JobDefinition.of("job").every(Duration.ofMillis(100)).catchUp(5).build());
		for (int i = 0; i < 60; i++) {
			instances.get(i % 3).jobs.triggerNow("job");
		}
		Await.until(() -> "65 runs but there are " + total.get(), () -> total.get() >= 65);
		assertThat(most).hasValue(1);
	}

	@Test
	void aRunOfAnInstanceThatVanishesGoesAgainElsewhereAndTheOldOneCanEndNothing() throws Exception {
		CountDownLatch letGo = new CountDownLatch(1);
		CountDownLatch begun = new CountDownLatch(1);
		JobInstance doomed = this.fixture.start("app", SHORT_LEASE,
				JobHandler.of("job", String.class, (payload, run) -> {
					begun.countDown();
					uninterruptibly(letGo);
				}));
		doomed.jobs.createOrUpdate(JobDefinition.of("job").build());
		doomed.jobs.triggerNow("job");
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		doomed.cutOff();
		List<JobRun> ran = new CopyOnWriteArrayList<>();
		this.fixture.start("app", SHORT_LEASE, JobHandler.of("job", String.class, (payload, run) -> ran.add(run)));
		awaitStatuses("job", "succeeded");
		assertThat(ran).hasSize(1);
		assertThat(ran.get(0).attempt()).isEqualTo(2);
		assertThat(ran.get(0).token()).isEqualTo(2);
		letGo.countDown();
		RunRecord old = doomedEnd(ran.get(0));
		assertThat(old.status()).isEqualTo(RunStatus.SUCCEEDED);
		assertThat(old.attempts()).isEqualTo(2);
	}

	/** What the one before would report is refused. */
	private RunRecord doomedEnd(JobRun last) {
		JobInstance other = this.fixture.prepare("app", SHORT_LEASE);
		JobRun first = new JobRun(last.id(), last.job(), last.scheduledAt(), true, 1, 1);
		assertThat(other.store.end(first, RunStatus.FAILED, Duration.ZERO, "late")).isFalse();
		assertThat(other.store.renew(List.of(first), Duration.ofMinutes(1))).isEmpty();
		assertThat(other.store.release(List.of(first))).isZero();
		return other.jobs.runs("job", 1).get(0);
	}

	@Test
	void aRunThatIsLostIsInterruptedAndItsEndIsRefused() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		JobInstance instance = this.fixture.start("app", SHORT_LEASE,
				JobHandler.of("job", String.class, (payload, run) -> {
					begun.countDown();
					try {
						TimeUnit.MINUTES.sleep(1);
					}
					catch (InterruptedException ex) {
						interrupted.countDown();
						throw ex;
					}
				}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		long id = instance.jobs.triggerNow("job");
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		instance.jobs.delete("job");
		assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
		Await.until("it to be told", () -> instance.heard.lost.contains(id));
		assertThat(instance.heard.ended).isEmpty();
	}

	@Test
	void anInstanceThatCannotReachTheDatabaseInterruptsItsRunsBeforeTheirLeasesEnd() {
		CompletableFuture<Long> interrupted = new CompletableFuture<>();
		Duration lease = Duration.ofSeconds(4);
		JobInstance instance = this.fixture.start("app", JobFixture.SETTINGS.withLease(lease),
				JobHandler.of("job", String.class, (payload, run) -> {
					try {
						TimeUnit.MINUTES.sleep(1);
					}
					catch (InterruptedException ex) {
						interrupted.complete(System.nanoTime());
					}
				}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		Await.until("it to be claimed", () -> this.fixture.statuses("job").equals(List.of("running")));
		Instant first = expiry();
		Await.until("a renewal", () -> expiry().isAfter(first));
		instance.cutOff();
		Duration left = this.fixture.jdbc.queryForObject(
				"select lease_expiry, clock_timestamp() from whizbang.wh_job_runs",
				(rows, number) -> Duration.between(rows.getTimestamp(2).toInstant(), rows.getTimestamp(1).toInstant()));
		long end = System.nanoTime() + left.toNanos();
		assertThat(interrupted).succeedsWithin(Await.PATIENCE)
			.satisfies((time) -> assertThat(Duration.ofNanos(end - time)).as("left when it was interrupted")
				.isBetween(Duration.ZERO, lease.dividedBy(3)));
	}

	@Test
	void aLongRunKeepsItsLease() throws Exception {
		CountDownLatch letGo = new CountDownLatch(1);
		AtomicInteger begun = new AtomicInteger();
		JobHandler<String> handler = JobHandler.of("job", String.class, (payload, run) -> {
			begun.incrementAndGet();
			letGo.await();
		});
		JobInstance instance = this.fixture.start("app", SHORT_LEASE, handler);
		this.fixture.start("app", SHORT_LEASE, handler);
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		Await.until("it to begin", () -> begun.get() == 1);
		Instant expiry = expiry();
		Await.until("three renewals", () -> Duration.between(expiry, expiry()).compareTo(Duration.ofMillis(1200)) > 0);
		letGo.countDown();
		awaitStatuses("job", "succeeded");
		assertThat(begun).hasValue(1);
	}

	@Test
	void jobsGoOnWhileAnOpenTransactionHasChangedSomeOfThem() throws Exception {
		CountDownLatch letGo = new CountDownLatch(1);
		AtomicInteger begun = new AtomicInteger();
		AtomicInteger fired = new AtomicInteger();
		JobHandler<String> slow = JobHandler.of("slow", String.class, (payload, run) -> {
			begun.incrementAndGet();
			letGo.await();
		});
		JobHandler<String> quick = JobHandler.of("quick", String.class, (payload, run) -> fired.incrementAndGet());
		JobInstance instance = this.fixture.start("app", SHORT_LEASE, slow, quick);
		Duration often = Duration.ofMillis(100);
		instance.jobs.createOrUpdate(JobDefinition.of("quick").every(often).build());
		for (String job : List.of("deleted", "disabled", "kept")) {
			instance.jobs.createOrUpdate(JobDefinition.of(job).handler("slow").build());
			instance.jobs.triggerNow(job);
		}
		Await.until("all to begin", () -> begun.get() == 3);
		JobInstance other = this.fixture.start("app", SHORT_LEASE, slow, quick);
		for (String job : List.of("due", "gone")) {
			instance.jobs.createOrUpdate(JobDefinition.of(job).handler("quick").every(often).build());
		}
		JobInstance user = this.fixture.prepare("app", SHORT_LEASE);
		user.transaction().executeWithoutResult((status) -> {
			user.jobs.delete("deleted");
			user.jobs.disable("disabled");
			user.jobs.disable("due");
			user.jobs.delete("gone");
			Instant expiry = expiry("kept");
			int before = fired.get();
			Await.until("three renewals of another run",
					() -> Duration.between(expiry, expiry("kept")).compareTo(Duration.ofMillis(1200)) > 0);
			Await.until("others to fire", () -> fired.get() > before + 3);
			assertThat(instance.worker.consecutiveFailures() + other.worker.consecutiveFailures()).isZero();
			status.setRollbackOnly();
		});
		letGo.countDown();
		awaitStatuses("kept", "succeeded");
		assertThat(this.fixture.count("select attempts from whizbang.wh_job_runs where job_name = 'kept'")).isOne();
	}

	@Test
	void whetherARunIsStillItsHoldersIsNotKnownWhileItIsBeingDeleted() {
		JobInstance instance = this.fixture.prepare("app", SHORT_LEASE);
		for (String job : List.of("deleted", "kept")) {
			instance.jobs.createOrUpdate(JobDefinition.of(job).handler("job").build());
			instance.jobs.triggerNow(job);
		}
		List<JobRun> runs = instance.store.claim(new UUID(0, 1), "here", List.of("job"), 2, Duration.ofMinutes(1))
			.stream()
			.map(ClaimedRun::run)
			.toList();
		JobInstance user = this.fixture.prepare("app", SHORT_LEASE);
		user.transaction().executeWithoutResult((status) -> {
			user.jobs.delete("deleted");
			assertThat(instance.store.renew(runs, Duration.ofMinutes(1)))
				.containsExactlyInAnyOrderEntriesOf(Map.of(id(runs, "deleted"), false, id(runs, "kept"), true));
			assertThat(instance.store.release(runs)).isOne();
		});
		assertThat(instance.store.renew(runs, Duration.ofMinutes(1))).isEmpty();
	}

	private static long id(List<JobRun> runs, String job) {
		return runs.stream().filter((run) -> run.job().equals(job)).findFirst().orElseThrow().id();
	}

	private Instant expiry(String job) {
		return this.fixture.jdbc.queryForObject("select lease_expiry from whizbang.wh_job_runs where job_name = ?",
				(rows, number) -> rows.getTimestamp(1).toInstant(), job);
	}

	private Instant expiry() {
		return this.fixture.jdbc.queryForObject("select lease_expiry from whizbang.wh_job_runs",
				(rows, number) -> rows.getTimestamp(1).toInstant());
	}

	@Test
	void failuresAreTriedAgainUntilTheyAreTooMany() {
		AtomicInteger attempts = new AtomicInteger();
		JobInstance instance = this.fixture.start(JobHandler.of("job", String.class, (payload, run) -> {
			attempts.set(run.attempt());
			throw new IllegalStateException("out of paper " + run.attempt());
		}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		awaitStatuses("job", "failed");
		assertThat(attempts).hasValue(3);
		RunRecord run = instance.jobs.runs("job", 1).get(0);
		assertThat(run.error()).contains("out of paper 3");
		assertThat(instance.jobs.find("job").orElseThrow().failing()).isTrue();
		Await.untilAsserted(
				() -> assertThat(instance.heard.ended).containsExactly("job RETRYING", "job RETRYING", "job FAILED"));
	}

	@Test
	void aFailureThatCannotHealIsNotTriedAgain() {
		JobInstance instance = this.fixture.start(JobHandler.of("job", String.class, (payload, run) -> {
			throw new PermanentFailureException("never");
		}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		awaitStatuses("job", "failed");
		assertThat(instance.jobs.runs("job", 1).get(0).attempts()).isEqualTo(1);
	}

	@Test
	void aRunThatKillsItsInstancesFailsInTheEnd() {
		JobInstance instance = this.fixture.start("app", SHORT_LEASE);
		instance.jobs
			.createOrUpdate(JobDefinition.of("killer").retry(RetryPolicy.defaults().withMaxAttempts(2)).build());
		instance.jobs.triggerNow("killer");
		JobInstance victim = this.fixture.prepare("app", SHORT_LEASE);
		for (int i = 0; i < 2; i++) {
			Await.until("it to be claimed",
					() -> !victim.store.claim(new UUID(1, 1), "victim", List.of("killer"), 1, Duration.ofMillis(50))
						.isEmpty());
		}
		awaitStatuses("killer", "failed");
		assertThat(instance.jobs.runs("killer", 1).get(0).error()).contains("lease expired").contains("victim");
	}

	@Test
	void stoppingLetsRunsEnd() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch letGo = new CountDownLatch(1);
		JobInstance instance = this.fixture.start(JobHandler.of("job", String.class, (payload, run) -> {
			begun.countDown();
			letGo.await();
		}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		Thread stopping = new Thread(instance.worker::stop);
		stopping.start();
		letGo.countDown();
		stopping.join();
		assertThat(this.fixture.statuses("job")).containsExactly("succeeded");
	}

	@Test
	void stoppingGivesBackRunsThatDoNotEndWithoutCountingTheAttempt() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		JobInstance instance = this.fixture.start("app", JobFixture.SETTINGS.withDrainTimeout(Duration.ofMillis(50)),
				JobHandler.of("job", String.class, (payload, run) -> {
					begun.countDown();
					TimeUnit.MINUTES.sleep(1);
				}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		instance.worker.stop();
		assertThat(this.fixture.statuses("job")).containsExactly("pending");
		Await.until("its handler to be interrupted", () -> instance.worker.running() == 0);
		assertThat(this.fixture.statuses("job")).containsExactly("pending");
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		this.fixture.start(JobHandler.of("job", String.class, (payload, run) -> attempts.add(run.attempt())));
		awaitStatuses("job", "succeeded");
		assertThat(attempts).containsExactly(1);
	}

	@Test
	void runsNoMoreAtOnceThanItMay() throws Exception {
		AtomicInteger now = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		Set<Long> ran = ConcurrentHashMap.newKeySet();
		JobInstance instance = this.fixture.start("app", JobFixture.SETTINGS.withConcurrency(2),
				JobHandler.of("job", String.class, (payload, run) -> {
					most.accumulateAndGet(now.incrementAndGet(), Math::max);
					TimeUnit.MILLISECONDS.sleep(5);
					now.decrementAndGet();
					ran.add(run.id());
				}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").overlap(true).build());
		Set<Long> triggered = new HashSet<>();
		for (int i = 0; i < 20; i++) {
			triggered.add(instance.jobs.triggerNow("job"));
		}
		Await.until(() -> "all runs but there are " + ran, () -> ran.equals(triggered));
		assertThat(most).hasValueBetween(1, 2);
	}

	@Test
	void goesOnAfterEverySessionWasEndedAndRepeatsNothingThatHadEnded() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch letGo = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		JobInstance instance = this.fixture.start(JobHandler.of("job", String.class, (payload, run) -> {
			runs.incrementAndGet();
			begun.countDown();
			letGo.await();
		}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").build());
		instance.jobs.triggerNow("job");
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 3; i++) {
			this.database.terminateBackends();
		}
		letGo.countDown();
		this.database.terminateBackends();
		Await.until("the run to be over", () -> instance.worker.running() == 0);
		awaitStatuses("job", "succeeded");
		assertThat(runs).hasValue(1);
	}

	@Test
	void runsThatNoThreadTakesAreGivenBack() {
		AtomicInteger offered = new AtomicInteger();
		Executor full = (task) -> {
			if (offered.incrementAndGet() > 1) {
				throw new RejectedExecutionException("full");
			}
			task.run();
		};
		JobInstance instance = new JobInstance(this.fixture, "app", JobFixture.SETTINGS, () -> null, full, null,
				JobHandler.of("job", String.class, (payload, run) -> {
				}));
		instance.jobs.createOrUpdate(JobDefinition.of("job").overlap(true).build());
		for (int i = 0; i < 4; i++) {
			instance.jobs.triggerNow("job");
		}
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(instance::run);
		assertThat(this.fixture.statuses("job")).containsExactly("succeeded", "pending", "pending", "pending");
		assertThat(instance.worker.running()).isZero();
		assertThat(this.fixture.count("select sum(attempts) from whizbang.wh_job_runs")).isOne();
	}

	@Test
	void aJobThatIsDefinedInCodeIsThereWhenTheWorkerHasStarted() {
		JobInstance instance = this.fixture.prepare("app", JobFixture.SETTINGS,
				JobHandler.of("job", String.class, (payload, run) -> {
				}));
		instance.handlers.define(JobDefinition.of("job").every(Duration.ofMillis(100)).build());
		instance.worker.start();
		assertThat(instance.jobs.find("job")).isPresent();
		Await.until("a run", () -> instance.heard.ended.contains("job SUCCEEDED"));
	}

	private static void uninterruptibly(CountDownLatch latch) {
		boolean passed = false;
		while (!passed) {
			try {
				latch.await();
				passed = true;
			}
			catch (InterruptedException ex) {
				// A handler that does not listen.
			}
		}
	}

}

package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.message.Envelope;
import io.whizbang.test.Await;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G6: what a receptor does to this database takes effect exactly once, whatever dies; G5:
 * and not at all from an instance that lost its claim.
 */
@PostgresTest
class ExactlyOnceTests {

	private final InboxFixture fixture;

	private final WorkCoordinator coordinator;

	private final InboxProcessor processor;

	ExactlyOnceTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.coordinator = this.fixture.coordinator();
		this.processor = this.fixture.processor(new JdbcTransactionManager(this.fixture.dataSource));
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	private UUID join() {
		return this.coordinator.register(new InstanceInfo("test", "localhost", 1, Map.of()), Set.of(Queue.INBOX));
	}

	private List<String> handled() {
		return this.fixture.things();
	}

	@Test
	void effectsVanishWithABackendThatDiesBeforeTheCommitAndComeOnceWithTheNextTry() {
		AtomicBoolean killed = new AtomicBoolean();
		this.fixture.receptor("a").then((name, envelope) -> {
			this.fixture.outbox.enqueue("done." + name, 1);
			if (name.equals("m3") && killed.compareAndSet(false, true)) {
				Integer backend = new JdbcTemplate(this.fixture.dataSource).queryForObject("select pg_backend_pid()",
						Integer.class);
				this.fixture.jdbc.queryForObject("select pg_terminate_backend(?, 5000)", Boolean.class, backend);
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(5));
		ManualWorker worker = this.fixture.worker();
		for (int i = 0; i < 3 && !this.fixture.waiting().isEmpty(); i++) {
			worker.runUntilIdle();
			this.fixture.clock.advance(Duration.ofSeconds(2));
		}
		assertThat(killed).isTrue();
		assertThat(handled()).containsExactly("a:m1", "a:m2", "a:m3", "a:m4", "a:m5");
		assertThat(this.fixture.emitted()).hasSize(5).doesNotHaveDuplicates();
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void zombieWhoseLeaseWasTakenOverTakesNoEffect() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		this.fixture.receive("one", "two");
		UUID zombie = join();
		List<Work> work = this.coordinator.claim(zombie, Queue.INBOX, 10);
		receptor.then((name, envelope) -> {
			receptor.then((again, same) -> {
			});
			// While the receptor runs, its lease ends and another instance takes over.
			this.fixture.clock.advance(Duration.ofMinutes(20));
			this.fixture.worker().runUntilIdle();
		});
		assertThat(this.processor.handle(work)).containsOnly(Outcome.RELEASE);
		assertThat(handled()).as("effects of the new holder only").containsExactly("a:one", "a:two");
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void lostClaimTakesNothingFromTheOthersInTheSameTransaction() {
		this.fixture.receptor("a");
		this.fixture.receive("one");
		UUID instance = join();
		List<Work> batch = new ArrayList<>(this.coordinator.claim(instance, Queue.INBOX, 10));
		this.fixture.receive("two");
		batch.addAll(this.coordinator.claim(instance, Queue.INBOX, 10));
		assertThat(batch).hasSize(2);
		this.fixture.jdbc.update("delete from whizbang.wh_claims where claim_id = ?", batch.get(0).claim().id());
		assertThat(this.processor.handle(batch)).containsExactly(Outcome.RELEASE, Outcome.DONE);
		assertThat(handled()).containsExactly("a:two");
		assertThat(this.fixture.waiting()).containsExactly("one");
	}

	@Test
	void claimCannotExpireWhileItsMessagesAreBeingCompleted() throws Exception {
		this.fixture.receptor("a");
		this.fixture.receive("one");
		List<Work> work = this.coordinator.claim(join(), Queue.INBOX, 10);
		JdbcHandledMessages messages = new JdbcHandledMessages(this.fixture.dataSource, "whizbang", false,
				this.fixture.clock);
		this.fixture.transaction.executeWithoutResult((status) -> {
			messages.complete(List.of(new Attempt(work.get(0), List.of(), false)));
			this.fixture.clock.advance(Duration.ofMinutes(6));
			UUID other = join();
			assertThat(this.coordinator.claim(other, Queue.INBOX, 10)).isEmpty();
			assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).isEqualTo(1);
		});
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void reportOfWhatIsCompletedAlreadyClosesTheClaimAndChangesNothingElse() {
		this.fixture.receptor("a");
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("s1", "s"), InboxFixture.message("s2", "s"),
				InboxFixture.message("t1", "t")));
		UUID instance = join();
		List<Work> work = this.coordinator.claim(instance, Queue.INBOX, 10);
		Claim claim = work.get(0).claim();
		assertThat(this.processor.handle(work.subList(0, 1))).containsExactly(Outcome.DONE);
		assertThat(this.coordinator.complete(instance, Queue.INBOX, work.subList(0, 1))).isEmpty();
		assertThat(this.fixture.jdbc.queryForObject("select seqs::text from whizbang.wh_claims", String.class))
			.isEqualTo("{%d,%d}".formatted(work.get(1).seq(), work.get(2).seq()));
		assertThat(this.fixture.number("select cardinality(partitions) from whizbang.wh_claims")).isEqualTo(2);
		this.processor.handle(work.subList(1, 3));
		assertThat(this.coordinator.complete(instance, Queue.INBOX, work.subList(1, 3))).isEmpty();
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims where claim_id = ?", claim.id()))
			.isZero();
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void reportThatIsNeverMadeRepeatsNothing() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		this.fixture.inbox.receiveAll(InboxFixture.messages(3));
		List<Work> work = this.coordinator.claim(join(), Queue.INBOX, 10);
		this.processor.handle(work);
		// The instance dies here, between its commit and its report.
		this.fixture.clock.advance(Duration.ofMinutes(20));
		WorkBatch next = this.coordinator.exchange(join(), Queue.INBOX, WorkReport.nothing(),
				WorkRequest.upTo(10, null));
		assertThat(next.claimed().count()).isZero();
		assertThat(next.recovered()).isZero();
		assertThat(receptor.called()).hasSize(3);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).isZero();
	}

	@Test
	void nextMessageOfAStreamBecomesItsHeadWithTheCompletion() {
		RecordingReceptor receptor = this.fixture.receptor("a").failsFor("s1");
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("s1", "s"), InboxFixture.message("s2", "s"),
				InboxFixture.message("s3", "s")));
		try (ManualWorker first = this.fixture.worker()) {
			first.runUntilIdle();
		}
		receptor.then((name, envelope) -> {
		});
		this.fixture.clock.advance(Duration.ofSeconds(2));
		UUID instance = join();
		List<Work> work = this.coordinator.claim(instance, Queue.INBOX, 1);
		assertThat(work).hasSize(1);
		this.processor.handle(work);
		assertThat(this.fixture.jdbc.queryForList("select status from whizbang.wh_inbox order by seq", Integer.class))
			.containsExactly(1, 2);
		this.coordinator.complete(instance, Queue.INBOX, work);
		this.coordinator.leave(instance);
		this.fixture.worker().runUntilIdle();
		assertThat(receptor.called()).containsExactly("s1", "s1", "s2", "s3");
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void tenThousandMessagesOfWhichEveryTenthComesTwiceAreHandledOnceByTwoInstances() throws Exception {
		this.fixture.receptor("a");
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Worker> workers = List.of(worker(threads), worker(threads));
		try {
			workers.forEach(Worker::start);
			List<IncomingMessage> batch = new ArrayList<>();
			for (int n = 1; n <= 10_000; n++) {
				batch.add(InboxFixture.message("m" + n, "stream" + n % 500));
				if (n % 10 == 0) {
					batch.add(InboxFixture.message("m" + (n - 5), "stream" + (n - 5) % 500));
				}
				if (n % 500 == 0) {
					this.fixture.inbox.receiveAll(batch);
					batch.clear();
				}
			}
			Await.until(() -> this.fixture.number("select count(*) from whizbang.wh_inbox") + " messages to be handled",
					Duration.ofMinutes(2), () -> this.fixture.number("select count(*) from whizbang.wh_inbox") == 0);
		}
		finally {
			workers.forEach(Worker::stop);
			threads.shutdownNow();
		}
		assertThat(this.fixture.number("select count(*) from thing")).isEqualTo(10_000);
		assertThat(this.fixture.number("select count(distinct name) from thing")).isEqualTo(10_000);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_dead_letters")).isZero();
	}

	private Worker worker(ExecutorService threads) {
		JdbcWorkCoordinator own = this.fixture.coordinator();
		Membership membership = new Membership(own, this.fixture.rules,
				new InstanceInfo("test", "localhost", 1, Map.of()), Queue.INBOX);
		return new Worker(new WorkPump(new QueueWork(Queue.INBOX, this.processor, this.processor, WorkListener.NONE),
				membership, WorkerSettings.defaults().withConcurrency(2), threads, () -> false));
	}

	@Test
	void receptorThatTakesTooLongIsInterruptedAndTakesNobodyWithIt() {
		this.fixture.receptors.add("slow", new Receptor<Map<String, String>>() {

			@Override
			public void handle(Map<String, String> payload, Envelope envelope) throws Exception {
				String name = payload.getOrDefault("name", "?");
				ExactlyOnceTests.this.fixture.write("slow", name);
				if (name.equals("m2")) {
					new CountDownLatch(1).await();
				}
			}

			@Override
			public Set<String> topics() {
				return Set.of("orders");
			}

			@Override
			public Duration timeout() {
				// Enough for those that are not slow, on a slow machine too.
				return Duration.ofSeconds(1);
			}

		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(4));
		ExecutorService threads = Executors.newFixedThreadPool(3);
		Worker worker = worker(threads);
		try {
			worker.start();
			Await.until("the slow one to fail", () -> this.fixture.number("""
					select count(*) from whizbang.wh_inbox
					where headers ->> 'whizbang-source-id' = 'm2' and error like '%TimeoutException%'""") == 1);
			Await.until("the others to be done", () -> handled().size() == 3);
			assertThat(handled()).containsExactly("slow:m1", "slow:m3", "slow:m4");
		}
		finally {
			worker.stop();
			threads.shutdownNow();
		}
	}

	@Test
	void gracefulStopWaitsForTheTransactionAndGivesBackTheRest() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		RecordingReceptor receptor = this.fixture.receptor("a");
		receptor.then((name, envelope) -> {
			started.countDown();
			goOn.await();
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(20));
		ExecutorService threads = Executors.newFixedThreadPool(3);
		Worker worker = worker(threads);
		worker.start();
		assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> stopping = CompletableFuture.runAsync(worker::stop);
		goOn.countDown();
		stopping.get(60, TimeUnit.SECONDS);
		threads.shutdownNow();
		int done = handled().size();
		assertThat(this.fixture.waiting()).hasSize(20 - done);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_inbox where attempts > 0")).isZero();
		List<Ended> rest = this.fixture.worker().runUntilIdle();
		assertThat(rest).hasSize(20 - done);
		assertThat(handled()).hasSize(20).doesNotHaveDuplicates();
	}

}

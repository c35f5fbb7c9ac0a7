package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.PermanentFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Consumers: G2 and G4 (a failing key waits alone), G5 (who has lost its lock ends
 * nothing), G6 (transactional consumers), G10 (the database goes away).
 */
@PostgresTest
class QueueWorkerTests {

	private final PostgresDatabase database;

	private QueueFixture fixture;

	QueueWorkerTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new QueueFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void messagesOfAKeyComeOneByOneOrTogether() {
		List<List<String>> calls = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.fixture.queues.enqueue("single", "a", i);
			this.fixture.queues.enqueue("together", "a", i);
		}
		QueueWorker worker = this.fixture.manual(
				QueueFixture.single("single", 4,
						(batch, messages, codec) -> calls.add(QueueFixture.payloads(messages))),
				QueueFixture.together("together", 4,
						(batch, messages, codec) -> calls.add(QueueFixture.payloads(messages))));
		assertThat(worker.runUntilIdle()).isTrue();
		assertThat(calls).containsExactly(List.of("0"), List.of("1"), List.of("2"), List.of("0", "1", "2"));
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isZero();
	}

	@Test
	void aStartedWorkerHearsOfNewMessagesAndConsumesThem() {
		List<String> seen = new CopyOnWriteArrayList<>();
		QueueSettings patient = QueueFixture.SETTINGS.withPoll(Duration.ofMinutes(5), Duration.ofMinutes(5));
		this.fixture
			.worker(patient,
					QueueFixture.single("q", 4,
							(batch, messages, codec) -> seen.addAll(QueueFixture.payloads(messages))))
			.start();
		this.fixture.queues.enqueue("q", "a", 1);
		Await.until("the first message is consumed", () -> seen.contains("1"));
		this.fixture.queues.enqueue(QueueMessage.to("q", 2).delay(Duration.ofMillis(300)).build());
		Await.until("the delayed message is consumed", () -> seen.contains("2"));
	}

	@Test
	void aFailedMessageIsTriedAgainAndItsKeyWaitsInOrder() {
		List<String> seen = new CopyOnWriteArrayList<>();
		AtomicBoolean failed = new AtomicBoolean();
		for (int i = 0; i < 3; i++) {
			this.fixture.queues.enqueue("q", "a", i);
		}
		this.fixture.worker(QueueFixture.SETTINGS, QueueFixture.single("q", 4, (batch, messages, codec) -> {
			String payload = QueueFixture.payloads(messages).get(0);
			if (payload.equals("1") && failed.compareAndSet(false, true)) {
				throw new IllegalStateException("not yet");
			}
			seen.add(payload);
		})).start();
		Await.until("all are consumed", () -> seen.size() == 3);
		assertThat(seen).containsExactly("0", "1", "2");
	}

	@Test
	void aPermanentFailureDiesAtOnceAndTheNextOnesGoOn() {
		List<String> seen = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.fixture.queues.enqueue("q", "a", i);
		}
		this.fixture.manual(QueueFixture.single("q", 4, (batch, messages, codec) -> {
			String payload = QueueFixture.payloads(messages).get(0);
			if (payload.equals("0")) {
				throw new PermanentFailureException("never");
			}
			seen.add(payload);
		})).runUntilIdle();
		assertThat(seen).containsExactly("1", "2");
		assertThat(this.fixture.deadLetters("q")).containsExactly("0");
	}

	@Test
	void ofABatchThatFailsForGoodOnlyTheGuiltyOneDies() {
		List<String> seen = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 4; i++) {
			this.fixture.queues.enqueue("q", "a", i);
		}
		this.fixture.worker(QueueFixture.SETTINGS, QueueFixture.together("q", 4, (batch, messages, codec) -> {
			if (QueueFixture.payloads(messages).contains("1")) {
				throw new PermanentFailureException("never");
			}
			seen.addAll(QueueFixture.payloads(messages));
		})).start();
		Await.until("the others are consumed", () -> seen.size() == 3);
		Await.until("one is dead", () -> this.fixture.deadLetters("q").equals(List.of("1")));
		assertThat(seen).containsExactly("0", "2", "3");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 10, 19 })
	void ofAListThatFailsAgainAndAgainOnlyTheGuiltyOneDies(int poison) {
		List<Integer> seen = new CopyOnWriteArrayList<>();
		this.fixture.queues.enqueueAll(java.util.stream.IntStream.range(0, 20)
			.mapToObj((i) -> QueueMessage.to("q", i).key("a").build())
			.toList());
		this.fixture.worker(QueueFixture.SETTINGS, QueueFixture.together("q", 4, (batch, messages, codec) -> {
			List<Integer> numbers = QueueFixture.payloads(messages).stream().map(Integer::valueOf).toList();
			if (numbers.contains(poison)) {
				throw new IllegalStateException("not yet");
			}
			seen.addAll(numbers);
		})).start();
		Await.until("all have ended", () -> this.fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
		assertThat(this.fixture.deadLetters("q")).containsExactly(Integer.toString(poison));
		assertThat(seen).hasSize(19).isSorted().doesNotContain(poison);
	}

	@Test
	void aTransactionalConsumerTakesEffectTogetherWithTheEndOfItsMessage() {
		this.fixture.jdbc.execute("create table if not exists effects (payload text)");
		this.fixture.jdbc.execute("truncate effects");
		JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());
		AtomicInteger calls = new AtomicInteger();
		this.fixture.queues.enqueue("q", "a", 1);
		this.fixture.queues.enqueue("q", "a", 2);
		this.fixture.worker(QueueFixture.SETTINGS, QueueFixture.transactional("q", (batch, messages, codec) -> {
			jdbc.update("insert into effects values (?)", QueueFixture.payloads(messages).get(0));
			if (calls.incrementAndGet() == 2) {
				throw new IllegalStateException("undone");
			}
		})).start();
		Await.until("all are consumed", () -> this.fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
		assertThat(jdbc.queryForList("select payload from effects", String.class)).containsExactly("1", "2");
		assertThat(calls).hasValue(3);
	}

	@Test
	void aQueueWhoseEndsCannotBeToldKeepsNoOtherFromBeingTold() {
		List<String> queues = List.of("bad", "a", "b", "c", "d", "e", "f", "g");
		queues.forEach((queue) -> this.fixture.queues.enqueue(queue, "key", 1));
		this.fixture.jdbc.execute(
				"""
						create or replace function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
						create trigger refuse before delete on whizbang.wh_queue_messages
						    for each row when (old.queue = 'bad') execute function refuse()""");
		QueueWorker worker = this.fixture
			.manual(queues.stream().map((queue) -> QueueFixture.single(queue, 1, (batch, messages, codec) -> {
			})).toArray(Consumer[]::new));
		try {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(worker::runUntilIdle)
				.withMessageContaining("refused");
			assertThat(this.fixture.jdbc.queryForList("select queue from whizbang.wh_queue_messages", String.class))
				.containsExactly("bad");
		}
		finally {
			this.fixture.jdbc.execute("drop trigger refuse on whizbang.wh_queue_messages");
		}
		worker.runUntilIdle();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isZero();
	}

	@Test
	void allBatchesAreGivenBackThatAnExecutorHasNoRoomFor() {
		for (int i = 0; i < 4; i++) {
			this.fixture.queues.enqueue("q", "key-" + i, i);
		}
		AtomicBoolean full = new AtomicBoolean(true);
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		QueueWorker worker = new QueueWorker(
				this.fixture.parts(QueueFixture.SETTINGS, QueueFixture.single("q", 4,
						(batch, messages, codec) -> messages.forEach((message) -> attempts.add(message.attempt())))),
				(task) -> {
					if (full.get()) {
						throw new RejectedExecutionException("no room");
					}
					task.run();
				}, () -> false, null);
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(worker::runUntilIdle);
		full.set(false);
		worker.runUntilIdle();
		assertThat(attempts).containsExactly(1, 1, 1, 1);
	}

	@Test
	void theLockOfASlowConsumerIsRenewed() throws InterruptedException {
		QueueSettings brief = QueueFixture.SETTINGS.withLock(Duration.ofMillis(600), Duration.ofMinutes(5));
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		this.fixture.queues.enqueue("q", "a", 1);
		this.fixture.worker(brief, QueueFixture.single("q", 1, (batch, messages, codec) -> {
			calls.incrementAndGet();
			begun.countDown();
			goOn.await();
		})).start();
		begun.await();
		String first = expiry();
		Await.until("the lock is renewed twice", () -> this.fixture.count(
				"select count(*) from whizbang.wh_queue_keys where due_at > ?::timestamptz + interval '1 second'",
				first) == 1);
		goOn.countDown();
		Await.until("it is consumed", () -> this.fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
		assertThat(calls).hasValue(1);
	}

	private String expiry() {
		return String
			.valueOf(this.fixture.jdbc.queryForObject("select due_at::text from whizbang.wh_queue_keys", String.class));
	}

	@Test
	void aConsumerThatHangsIsInterruptedWhenItsLockMayNotBeRenewedAnyMore() {
		QueueSettings brief = QueueFixture.SETTINGS.withLock(Duration.ofMillis(300), Duration.ofMillis(300));
		AtomicBoolean interrupted = new AtomicBoolean();
		AtomicInteger calls = new AtomicInteger();
		this.fixture.queues.enqueue("q", "a", 1);
		this.fixture.worker(brief, QueueFixture.single("q", 1, (batch, messages, codec) -> {
			if (calls.incrementAndGet() == 1) {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					interrupted.set(true);
					throw ex;
				}
			}
		})).start();
		Await.until("it is taken again and consumed",
				() -> this.fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
		assertThat(interrupted).isTrue();
		assertThat(calls).hasValue(2);
	}

	@Test
	void aWorkerThatStopsGivesBackWhatItCannotEndWithoutCountingIt() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		this.fixture.queues.enqueue("q", "a", 1);
		QueueWorker worker = this.fixture.worker(QueueFixture.SETTINGS.withDrainTimeout(Duration.ofMillis(50)),
				QueueFixture.single("q", 1, (batch, messages, codec) -> {
					begun.countDown();
					new CountDownLatch(1).await();
				}));
		worker.start();
		begun.await();
		worker.stop();
		QueueBatch batch = this.fixture.queues.dequeueBatch("q").orElseThrow();
		assertThat(batch.messages().get(0).attempt()).isOne();
	}

	@Test
	void aWorkerStopsAndInterruptsWhatIsUnderWayAlsoWhenNoEndCanBeTold() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		QueueWorker worker = this.fixture.worker(QueueFixture.SETTINGS.withDrainTimeout(Duration.ofMillis(50)),
				QueueFixture.single("q", 2, (batch, messages, codec) -> {
					if ("slow".equals(batch.key())) {
						begun.countDown();
						try {
							new CountDownLatch(1).await();
						}
						catch (InterruptedException ex) {
							interrupted.countDown();
							throw ex;
						}
					}
				}));
		this.fixture.jdbc.execute("alter function whizbang.settle_batches rename to settle_batches_later");
		try {
			worker.start();
			this.fixture.queues.enqueue("q", "slow", 1);
			this.fixture.queues.enqueue("q", "quick", 2);
			begun.await();
			Await.until("an end cannot be told", () -> worker.consecutiveFailures() > 0);
			worker.stop();
			assertThat(worker.isRunning()).isFalse();
			interrupted.await();
		}
		finally {
			this.fixture.jdbc.execute("alter function whizbang.settle_batches_later rename to settle_batches");
		}
	}

	@Test
	void aWorkerGoesOnWhenTheDatabaseIsBack() {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.fixture
			.worker(QueueFixture.SETTINGS,
					QueueFixture.single("q", 4,
							(batch, messages, codec) -> seen.addAll(QueueFixture.payloads(messages))))
			.start();
		this.fixture.queues.enqueue("q", "a", 1);
		Await.until("the first message is consumed", () -> seen.contains("1"));
		this.database.terminateBackends();
		Await.until("a message can be enqueued again", () -> {
			try {
				this.fixture.queues.enqueue("q", "a", 2);
				return true;
			}
			catch (RuntimeException ex) {
				return false;
			}
		});
		Await.until("the second message is consumed", () -> seen.contains("2"));
	}

	@Test
	void aHeavyKeyDoesNotKeepTheOthersWaiting() {
		Map<String, Integer> order = new ConcurrentHashMap<>();
		AtomicInteger calls = new AtomicInteger();
		List<QueueMessage> heavy = java.util.stream.IntStream.range(0, 500)
			.mapToObj((i) -> QueueMessage.to("q", i).key("heavy").build())
			.toList();
		this.fixture.queues.enqueueAll(heavy);
		this.fixture.queues.enqueue("q", "light", 1);
		this.fixture
			.manual(new Consumer("q", 1, 10, true, false, QueueFixture.RETRY,
					(batch, messages, codec) -> order.putIfAbsent(String.valueOf(batch.key()),
							calls.incrementAndGet())))
			.runUntilIdle();
		assertThat(order.get("light")).as("its place").isEqualTo(2);
	}

}

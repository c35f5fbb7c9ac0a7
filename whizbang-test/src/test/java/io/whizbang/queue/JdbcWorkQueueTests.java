package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.Operator;
import io.whizbang.message.PayloadException;
import io.whizbang.queue.JdbcQueueStore.TakenBatch;
import io.whizbang.queue.JdbcQueueStore.Wanted;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WorkQueueContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Work queues in PostgreSQL: what all of them must do (G1, G2, G3, G5), and what ours
 * does besides.
 */
@PostgresTest
class JdbcWorkQueueTests extends WorkQueueContract {

	private final PostgresDatabase database;

	private QueueFixture fixture;

	private WorkQueue elsewhere;

	JdbcWorkQueueTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new QueueFixture(this.database);
		this.elsewhere = this.fixture.elsewhere();
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Override
	protected WorkQueue queues() {
		return this.fixture.queues;
	}

	@Override
	protected WorkQueue elsewhere() {
		return this.elsewhere;
	}

	@Override
	protected void elapse(Duration time) {
		this.fixture.clock.advance(time);
	}

	@Override
	protected void inTransaction(Runnable work, boolean commit) {
		this.fixture.transaction.executeWithoutResult((status) -> {
			work.run();
			if (!commit) {
				status.setRollbackOnly();
			}
		});
	}

	@Override
	protected int maxAttempts() {
		return QueueFixture.RETRY.maxAttempts();
	}

	@Override
	protected List<String> deadLetters(String queue) {
		return this.fixture.deadLetters(queue);
	}

	@Test
	void nothingIsLeftOfAnEmptyQueue() {
		queues().enqueue("q", "a", 1);
		queues().enqueue("q", 2);
		queues().ack(queues().dequeueBatch("q").orElseThrow());
		queues().ack(queues().dequeueBatch("q").orElseThrow());
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).isZero();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isZero();
	}

	@Test
	void nothingIsLeftOfAMessageWithoutAKeyThatEndsInATransaction() {
		queues().enqueue("q", 1);
		QueueBatch batch = queues().dequeueBatch("q").orElseThrow();
		inTransaction(() -> queues().ack(batch), true);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).isZero();
	}

	@Test
	void keysThatTransactionsLeaveWithoutMessagesHideNoneBehindThem() {
		queues().enqueue("q", "a", 1);
		QueueBatch first = queues().dequeueBatch("q").orElseThrow();
		inTransaction(() -> queues().ack(first), true);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys where state = 0")).as("left ready")
			.isOne();
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, place, low, upto, due_at, routing_key)
					select 'q', gen_random_uuid(), n, nextval('whizbang.wh_message_seq'), n, n, now(), n::text
					from generate_series(1, 30000) n""");
		queues().enqueue("q", "b", 2);
		assertThat(queues().dequeueBatch("q"))
			.hasValueSatisfying((batch) -> assertThat(QueueFixture.payloads(batch.messages())).containsExactly("2"));
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).as("keys that are left").isOne();
	}

	@Test
	void whatIsRolledBackToASavepointIsNotEnqueued() {
		this.fixture.transaction.executeWithoutResult((outer) -> {
			queues().enqueue("q", "a", 1);
			TransactionTemplate nested = new TransactionTemplate(this.fixture.transaction.getTransactionManager());
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			nested.executeWithoutResult((inner) -> {
				queues().enqueue("q", "a", 2);
				inner.setRollbackOnly();
			});
			queues().enqueue("q", "a", 3);
		});
		QueueBatch batch = queues().dequeueBatch("q").orElseThrow();
		assertThat(QueueFixture.payloads(batch.messages())).containsExactly("1", "3");
	}

	@Test
	void aKeyThatAnOldSnapshotStillSeesIsNotLost() {
		TransactionTemplate repeatable = new TransactionTemplate(this.fixture.transaction.getTransactionManager());
		repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		queues().enqueue("q", "a", 1);
		QueueBatch batch = queues().dequeueBatch("q").orElseThrow();
		repeatable.executeWithoutResult((status) -> {
			assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).isOne();
			CompletableFuture.runAsync(() -> queues().ack(batch)).join();
			queues().enqueue("q", "a", 2);
		});
		assertThat(QueueFixture.payloads(queues().dequeueBatch("q").orElseThrow().messages())).containsExactly("2");
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void aKeyThatIsLockedAfterASnapshotGetsItsMessage(int isolation) {
		TransactionTemplate repeatable = new TransactionTemplate(this.fixture.transaction.getTransactionManager());
		repeatable.setIsolationLevel(isolation);
		queues().enqueue("q", "a", 1);
		repeatable.executeWithoutResult((status) -> {
			assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).isOne();
			QueueBatch batch = CompletableFuture.supplyAsync(() -> queues().dequeueBatch("q").orElseThrow()).join();
			assertThat(QueueFixture.payloads(batch.messages())).containsExactly("1");
			queues().enqueue("q", "a", 2);
		});
		this.fixture.clock.advance(LOCK.plusSeconds(1));
		assertThat(QueueFixture.payloads(queues().dequeueBatch("q").orElseThrow().messages())).containsExactly("1",
				"2");
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void aKeyThatComesToBeAfterASnapshotGetsItsMessage(int isolation) {
		TransactionTemplate repeatable = new TransactionTemplate(this.fixture.transaction.getTransactionManager());
		repeatable.setIsolationLevel(isolation);
		repeatable.executeWithoutResult((status) -> {
			assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys")).isZero();
			CompletableFuture.runAsync(() -> queues().enqueue("q", "a", 1)).join();
			queues().enqueue("q", "a", 2);
			queues().enqueue("q", "b", 3);
		});
		assertThat(QueueFixture.payloads(queues().dequeueBatch("q").orElseThrow().messages())).containsExactly("1",
				"2");
		assertThat(QueueFixture.payloads(queues().dequeueBatch("q").orElseThrow().messages())).containsExactly("3");
	}

	@Test
	void aReadOnlyTransactionIsRefused() {
		TransactionTemplate readOnly = new TransactionTemplate(this.fixture.transaction.getTransactionManager());
		readOnly.setReadOnly(true);
		assertThatIllegalStateException()
			.isThrownBy(() -> readOnly.executeWithoutResult((status) -> queues().enqueue("q", "a", 1)))
			.withMessageContaining("read-only");
	}

	@Test
	void whatCannotBeStoredIsRefusedAtOnce() {
		assertThatExceptionOfType(PayloadException.class).isThrownBy(() -> queues().enqueue("q", "a", new Object() {
			@SuppressWarnings("unused")
			public Object getSelf() {
				throw new IllegalStateException("no");
			}
		}));
		assertThatIllegalArgumentException().isThrownBy(() -> queues().enqueue(" ", 1)).withMessageContaining("queue");
		assertThatIllegalArgumentException().isThrownBy(() -> queues().enqueue("q", "x".repeat(2000), 1))
			.withMessageContaining("routing key");
	}

	@Test
	void whatBecameDueInATransactionThatCommitsLateIsFound() {
		AtomicLong nanos = new AtomicLong();
		QueueMemory memory = new QueueMemory(nanos::get);
		queues().enqueue("q", "a", 1);
		QueueBatch batch = take(memory).get(0).batch();
		this.fixture.transaction.executeWithoutResult((status) -> {
			queues().abandon(batch, Duration.ofSeconds(1), true);
			this.fixture.clock.advance(Duration.ofSeconds(5));
			nanos.set(Duration.ofSeconds(1).toNanos());
			assertThat(take(memory)).as("before the commit").isEmpty();
		});
		assertThat(take(memory)).as("after the commit").hasSize(1);
	}

	private List<TakenBatch> take(QueueMemory memory) {
		return this.fixture.store.take("q", new Wanted(1, 10, 1000, 3, LOCK, "here"), memory);
	}

	@Test
	void aKeyWhoseLockWasLostMoreOftenThanANumberCanTellComesAgain() {
		queues().enqueue("q", "a", 1);
		assertThat(queues().dequeueBatch("q")).isPresent();
		this.fixture.jdbc
			.update("update whizbang.wh_queue_keys set failures = 32767, due_at = now() - interval '1 minute'");
		assertThat(queues().dequeueBatch("q")).isPresent();
	}

	@Test
	void aMessageThatMayFailForEverIsTriedOnWhenNobodyCountsAnyMore() {
		try (QueueFixture patient = new QueueFixture(this.database,
				QueueFixture.SETTINGS.withRetry(QueueFixture.RETRY.withMaxAttempts(100_000)))) {
			patient.queues.enqueue("q", "a", 1);
			QueueBatch failed = patient.queues.dequeueBatch("q").orElseThrow();
			patient.jdbc.update("update whizbang.wh_queue_messages set attempts = 32767");
			patient.queues.abandon(failed, Duration.ZERO, false);
			assertThat(patient.queues.dequeueBatch("q")).isPresent();
			patient.clock.advance(LOCK.plusMinutes(10));
			assertThat(patient.queues.dequeueBatch("q")).as("after a lost lock").isPresent();
		}
	}

	@Test
	void aKeyOfTheLongestLengthIsAKey() {
		String key = "ü".repeat(1024);
		queues().enqueue("q", key, 1);
		queues().enqueue("q", key, 2);
		QueueBatch batch = queues().dequeueBatch("q").orElseThrow();
		assertThat(batch.key()).isEqualTo(key);
		assertThat(batch.messages()).hasSize(2);
	}

	@Test
	void aBatchEndsAtItsLimitsAndTheRestStaysLockedBehindIt() {
		JdbcWorkQueue limited = new QueueFixture(this.database, QueueFixture.SETTINGS.withBatch(3, 1000)).queues;
		for (int i = 0; i < 5; i++) {
			limited.enqueue("q", "a", i);
		}
		QueueBatch first = limited.dequeueBatch("q").orElseThrow();
		assertThat(QueueFixture.payloads(first.messages())).containsExactly("0", "1", "2");
		assertThat(limited.dequeueBatch("q")).isEmpty();
		limited.ack(first);
		assertThat(QueueFixture.payloads(limited.dequeueBatch("q").orElseThrow().messages())).containsExactly("3", "4");
		limited.enqueue("large", "a", "x".repeat(2000));
		limited.enqueue("large", "a", "y".repeat(2000));
		assertThat(limited.dequeueBatch("large").orElseThrow().messages()).as("one that alone is too large").hasSize(1);
	}

	@Test
	void aKeyThatWasServedGoesToTheEndOfTheLine() {
		JdbcWorkQueue limited = new QueueFixture(this.database, QueueFixture.SETTINGS.withBatch(1, 1000)).queues;
		for (int i = 0; i < 10; i++) {
			limited.enqueue("q", "heavy", i);
		}
		limited.enqueue("q", "light", 1);
		limited.ack(limited.dequeueBatch("q").orElseThrow());
		assertThat(limited.dequeueBatch("q").orElseThrow().key()).isEqualTo("light");
	}

	@Test
	void aPoisonousMessageOfABatchDiesAlone() {
		for (int i = 0; i < 5; i++) {
			queues().enqueue("q", "a", i);
		}
		int rounds = 0;
		for (QueueBatch batch = queues().dequeueBatch("q").orElse(null); batch != null; batch = queues()
			.dequeueBatch("q")
			.orElse(null)) {
			assertThat(++rounds).isLessThan(50);
			if (QueueFixture.payloads(batch.messages()).contains("0")) {
				queues().abandon(batch, Duration.ZERO);
			}
			else {
				queues().ack(batch);
			}
		}
		assertThat(deadLetters("q")).containsExactly("0");
	}

	@Test
	void aDeadLetterGoesBackToItsQueueAndKey() {
		queues().enqueue("q", "a", 1);
		queues().enqueue("q", 2);
		queues().fail(queues().dequeueBatch("q").orElseThrow(), "hopeless");
		queues().fail(queues().dequeueBatch("q").orElseThrow(), "hopeless");
		assertThat(this.fixture.letters.list(DeadLetterFilter.ALL, null, 10).letters()).hasSize(2);
		assertThat(this.fixture.letters.replayAll(DeadLetterFilter.ALL.topic("q"), Operator.named("test")))
			.isEqualTo(2);
		QueueBatch keyed = queues().dequeueBatch("q").orElseThrow();
		assertThat(keyed.key()).isEqualTo("a");
		assertThat(keyed.messages().get(0).attempt()).isOne();
		assertThat(queues().dequeueBatch("q").orElseThrow().key()).isNull();
	}

	@Test
	void aPausedQueueHandsOutNothingAndAcceptsMessages() {
		JdbcQueues operators = new JdbcQueues(this.fixture.parts(QueueFixture.SETTINGS), this.fixture.manual());
		queues().enqueue("q", "a", 1);
		assertThat(operators.pause("q", "me")).isTrue();
		assertThat(operators.pause("q", "me")).isFalse();
		queues().enqueue("q", "a", 2);
		assertThat(queues().dequeueBatch("q")).isEmpty();
		assertThat(operators.list(null, 10)).singleElement().satisfies((status) -> {
			assertThat(status.paused()).isTrue();
			assertThat(status.messages()).isEqualTo(2);
			assertThat(status.ready()).isOne();
		});
		assertThat(operators.resume("q")).isTrue();
		assertThat(queues().dequeueBatch("q").orElseThrow().messages()).hasSize(2);
		assertThat(operators.keys("q", 10)).singleElement().satisfies((key) -> {
			assertThat(key.key()).isEqualTo("a");
			assertThat(key.locked()).isTrue();
			assertThat(key.holder()).contains("test@");
		});
		assertThat(operators.find("other")).isEmpty();
	}

}

package io.whizbang.queue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.process.ChildProcess;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that has a batch is killed, or frozen until somebody else has its key: the
 * batch comes again elsewhere when the lock is over, in order and with what arrived
 * meanwhile (G2, G3), and the one before can end nothing and is told so (G5).
 */
@PostgresTest
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
class QueueProcessTests {

	private static final String LOCK = "PT3S";

	private final PostgresDatabase database;

	private QueueFixture fixture;

	private ChildProcess process;

	QueueProcessTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void begin() throws Exception {
		this.fixture = new QueueFixture(this.database);
		this.fixture.queues.enqueue("q", "a", 1);
		this.fixture.queues.enqueue("q", "a", 2);
		this.process = ChildProcess.start(QueueProcess.class, this.database, "q", LOCK);
		assertThat(this.process.answer()).isEqualTo("taken [1, 2]");
		this.fixture.queues.enqueue("q", "a", 3);
	}

	@AfterEach
	void end() throws Exception {
		this.process.kill();
		this.fixture.close();
	}

	@Test
	void theBatchOfAProcessThatIsKilledComesAgainElsewhere() throws Exception {
		this.process.kill();
		assertTheRestComes(takenOver());
	}

	@Test
	void aProcessThatWakesWhenItsKeyIsElsewhereCanEndNothing() throws Exception {
		this.process.freeze();
		QueueBatch batch = takenOver();
		this.process.wake();
		for (String command : List.of("ack", "abandon", "fail", "renew")) {
			this.process.tell(command);
			assertThat(this.process.answer()).startsWith(command + " lost: ").contains("\"a\"", "\"q\"", "come again");
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isEqualTo(3);
		assertTheRestComes(batch);
		assertThat(this.fixture.deadLetters("q")).isEmpty();
	}

	/** One by one as far as they were lost together. */
	private void assertTheRestComes(QueueBatch first) {
		this.fixture.queues.ack(first);
		for (int number = 2; number <= 3; number++) {
			QueueBatch next = this.fixture.queues.dequeueBatch("q").orElseThrow();
			assertThat(QueueFixture.payloads(next.messages())).containsExactly(Integer.toString(number));
			assertThat(next.messages()).extracting(QueuedMessage::attempt).containsExactly((number == 2) ? 2 : 1);
			this.fixture.queues.ack(next);
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isZero();
	}

	/** Waits until the lock of the process is over, and takes its batch. */
	private QueueBatch takenOver() {
		AtomicReference<Optional<QueueBatch>> taken = new AtomicReference<>(Optional.empty());
		String expiry = String
			.valueOf(this.fixture.jdbc.queryForObject("select due_at::text from whizbang.wh_queue_keys", String.class));
		Await.until("the lock is over", () -> {
			taken.set(this.fixture.queues.dequeueBatch("q"));
			return taken.get().isPresent();
		});
		QueueBatch batch = taken.get().orElseThrow();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_keys where locked_at >= ?::timestamptz",
				expiry))
			.as("taken after the lock was over")
			.isOne();
		assertThat(QueueFixture.payloads(batch.messages())).containsExactly("1");
		assertThat(batch.messages()).extracting(QueuedMessage::attempt).containsExactly(2);
		return batch;
	}

}

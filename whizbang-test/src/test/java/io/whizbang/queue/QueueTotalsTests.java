package io.whizbang.queue;

import java.time.Duration;
import java.util.List;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told of all work queues together leaves none of them out, and what is told of
 * one does not depend on how much there is of others.
 */
@PostgresTest
class QueueTotalsTests {

	private final QueueFixture fixture;

	QueueTotalsTests(PostgresDatabase database) {
		this.fixture = new QueueFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void countsQueuesHoweverManyTheyAre() {
		for (int i = 0; i < 120; i++) {
			this.fixture.queues.enqueue("queue-%03d".formatted(i), "a", i);
		}
		this.fixture.clock.advance(Duration.ofSeconds(90));
		this.fixture.queues.enqueue("queue-119", "b", 1);
		assertThat(this.fixture.queues.dequeueBatch("queue-000")).isPresent();
		this.fixture.store.pause("queue-007", "ada");
		scheduled("queue-000", 3);
		dead("queue-119", 2);
		QueueTotals totals = this.fixture.store.totals(Queues.MAX_COUNT);
		assertThat(totals.queues()).isEqualTo(120);
		assertThat(totals.paused()).isOne();
		assertThat(totals.messages()).isEqualTo(121);
		assertThat(totals.ready()).isEqualTo(120);
		assertThat(totals.locked()).isOne();
		assertThat(totals.waiting()).isZero();
		assertThat(totals.delayed()).isEqualTo(3);
		assertThat(totals.deadLetters()).isEqualTo(2);
		assertThat(totals.oldest()).isGreaterThanOrEqualTo(Duration.ofSeconds(90));
	}

	@Test
	void findsWhatIsDelayedOrDeadBehindMuchOfOtherQueues() {
		this.fixture.queues.enqueue("mine", "a", 1);
		dead("mine", 2);
		dead("loud", 50);
		scheduled("loud", 50);
		scheduled("mine", 3);
		QueueStatus mine = this.fixture.store.list(List.of("mine"), 10).get(0);
		assertThat(mine.delayed()).isEqualTo(3);
		assertThat(mine.deadLetters()).isEqualTo(2);
		assertThat(this.fixture.store.list(List.of("loud"), 10).get(0).deadLetters()).as("counted up to the limit")
			.isEqualTo(10);
	}

	private void scheduled(String queue, int count) {
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_scheduled (queue, due_at, partition_hash, size, message_id, topic, message_type, headers, payload)
						select 5, now() + interval '1 h' + n * interval '1 s', 1, 2, gen_random_uuid(), ?, 't', '{}', '{}'
						from generate_series(1, ?) n""",
				queue, count);
	}

	private void dead(String queue, int count) {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_dead_letters (queue, reason, attempts, died_at, created_at, seq, message_id, topic,
					    message_type, headers, payload)
					select 5, 'test', 1, now(), now(), n, gen_random_uuid(), ?, 'Test', '{}', '{}' from generate_series(1, ?) n""",
					queue, count);
	}

}

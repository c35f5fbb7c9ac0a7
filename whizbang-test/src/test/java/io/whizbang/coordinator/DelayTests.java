package io.whizbang.coordinator;

import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.CoordinatorFixture.message;
import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages with a delay join their stream, at its end, when they are due.
 */
@PostgresTest
class DelayTests {

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	DelayTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	private static NewMessage delayed(String name, int seconds) {
		return message(name, CoordinatorFixture.streamOf(name), Duration.ofSeconds(seconds));
	}

	@Test
	void delayedMessagesComeWhenDueAndInTheOrderOfTheirTimes() {
		this.instance.store(delayed("a3", 30), delayed("a1", 10), delayed("b2", 20), delayed("a2", 10));
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(9));
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(1));
		assertThat(this.instance.drain()).containsExactly("a1", "a2");
		this.fixture.clock().advance(Duration.ofSeconds(60));
		assertThat(this.instance.drain()).containsExactly("b2", "a3");
	}

	@Test
	void theDelayThatWasWantedIsNoAge() {
		this.instance.store(delayed("a1", 86_400));
		this.fixture.jdbc()
			.execute(
					"""
							update whizbang.wh_scheduled set created_at = clock_timestamp() - interval '1 day', due_at = clock_timestamp() - interval '5 s';
							select whizbang.release_scheduled(1::smallint, '-infinity', clock_timestamp())""");
		assertThat(this.fixture.jdbc()
			.queryForObject("select oldest_ms from whizbang.queue_statistics(1::smallint, 10)", Long.class))
			.isBetween(5_000L, 600_000L);
		assertThat(this.fixture.jdbc()
			.queryForObject("select created_at < clock_timestamp() - interval '23 hours' from whizbang.wh_messages",
					Boolean.class))
			.as("when it was enqueued is kept")
			.isTrue();
	}

	@Test
	void delayedMessageHoldsUpNobody() {
		this.instance.store(delayed("a1", 60));
		this.fixture.enqueue("a2", "b1");
		assertThat(this.instance.drain()).containsExactly("a2", "b1");
		this.fixture.clock().advance(Duration.ofSeconds(60));
		this.fixture.enqueue("a3");
		assertThat(this.instance.drain()).containsExactly("a3", "a1");
	}

	@Test
	void dueMessageQueuesBehindAHeadOfItsStreamThatWaits() {
		this.instance.store(delayed("a2", 10));
		this.fixture.enqueue("a1");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, new Outcome.Retry(Duration.ofSeconds(30), "boom"), "a1");
		this.fixture.clock().advance(Duration.ofSeconds(20));
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(10));
		assertThat(this.instance.drain()).containsExactly("a1", "a2");
	}

	@Test
	void callerLearnsWhenTheNextOneIsDue() {
		this.instance.store(delayed("a1", 40), delayed("b1", 15));
		assertThat(this.instance.claim().nextDue()).isEqualTo(Duration.ofSeconds(15));
	}

	@Test
	void timeInThePastOrNoDelayMeansAtOnce() {
		NewMessage past = new NewMessage(MessageId.next(), "test", "Test", StreamId.of("a"), Map.of(), "a1", null,
				this.fixture.clock().now().minusSeconds(60));
		this.instance.store(past, delayed("a2", 0));
		this.fixture.enqueue("a3");
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "a3");
	}

	@Test
	void absoluteTimeIsKept() {
		this.instance.store(new NewMessage(MessageId.next(), "test", "Test", null, Map.of("h", "1"), "x", null,
				this.fixture.clock().now().plusSeconds(60)));
		this.fixture.clock().advance(Duration.ofSeconds(60).minusNanos(1000));
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofNanos(1000));
		WorkBatch batch = this.instance.claim();
		assertThat(names(batch)).containsExactly("x");
		assertThat(batch.work().get(0).envelope().headers()).containsEntry("h", "1");
	}

	@Test
	void delayedMessagesSurviveTheirProducerAndAreGivenToOthers() {
		this.instance.store(delayed("a1", 10));
		this.instance.leave();
		TestInstance other = this.fixture.join();
		this.fixture.clock().advance(Duration.ofSeconds(10));
		assertThat(other.drain()).containsExactly("a1");
	}

	@Test
	void backlogOfDelayedMessagesIsWorkedOffAfterALongStandstill() {
		this.instance
			.store(IntStream.range(0, 2_500).mapToObj((i) -> delayed("a" + i, 1 + i)).toArray(NewMessage[]::new));
		this.instance.drain();
		this.fixture.clock().advance(Duration.ofHours(2));
		assertThat(this.instance.drain())
			.containsExactlyElementsOf(IntStream.range(0, 2_500).mapToObj((i) -> "a" + i).toList());
	}

	@Test
	void delayedMessageThatWasCommittedLateComesWithTheNextSweep() {
		this.instance.drain();
		Timestamp past = Timestamp.from(this.fixture.clock().now().minusSeconds(20));
		this.fixture.jdbc().update("""
				insert into whizbang.wh_scheduled
				    (queue, due_at, partition_hash, size, message_id, topic, message_type, headers, payload)
				values (1, ?, 7, 1, gen_random_uuid(), 'test', 'Test', '{}', 'x')""", past);
		this.fixture.clock().advance(Duration.ofSeconds(31));
		assertThat(this.instance.drain()).containsExactly("x");
	}

	@Test
	void manyThatAreDueAtOnceAllComeInOrder() {
		this.instance.store(IntStream.range(0, 2_500).mapToObj((i) -> delayed("a" + i, 10)).toArray(NewMessage[]::new));
		this.fixture.clock().advance(Duration.ofSeconds(10));
		List<String> names = new ArrayList<>();
		while (names.size() < 2_500) {
			List<String> more = this.instance.drain();
			assertThat(more).isNotEmpty();
			names.addAll(more);
		}
		assertThat(names).containsExactlyElementsOf(IntStream.range(0, 2_500).mapToObj((i) -> "a" + i).toList());
	}

}

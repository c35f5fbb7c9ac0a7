package io.whizbang.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.TestInstance.claimOf;
import static io.whizbang.coordinator.TestInstance.names;
import static io.whizbang.coordinator.TestInstance.outcomes;
import static io.whizbang.coordinator.TestInstance.work;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that waits for its retry blocks its stream and nothing else.
 */
@PostgresTest
class RetryTests {

	private static final Duration DELAY = Duration.ofSeconds(30);

	private static final Outcome RETRY = new Outcome.Retry(DELAY, "boom");

	private static final Outcome DEAD = new Outcome.Dead("permanent", "no such address");

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	RetryTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	private void fail(Outcome outcome, String... names) {
		WorkBatch held = this.instance.claim();
		this.instance.exchange(
				new WorkReport(List.of(claimOf(held)), outcomes(held, outcome, names), List.of(), null, List.of()), 0);
	}

	@Test
	void waitingMessageBlocksItsStreamAndNothingElse() {
		this.fixture.enqueue("a1");
		fail(RETRY, "a1");
		this.fixture.enqueue("a2", "b1", "c1", "a3");
		this.fixture.enqueueKeyless("x");
		assertThat(this.instance.drain()).containsExactly("b1", "c1", "x");
		assertThat(this.fixture.status("a1")).isEqualTo("waiting");
		assertThat(this.fixture.status("a2")).as("parked when met").isEqualTo("parked");
		assertThat(this.fixture.status("a3")).as("parked when met").isEqualTo("parked");
	}

	@Test
	void streamInTheSamePartitionIsNotBlocked() {
		this.fixture.enqueue("a1");
		fail(RETRY, "a1");
		this.fixture.jdbc()
			.update("""
					insert into whizbang.wh_messages
					    (queue, partition_hash, size, message_id, stream_id, topic, message_type, headers, payload)
					values (1, ?, 2, gen_random_uuid(), gen_random_uuid(), 'test', 'Test', '{}', 'neighbour')""",
					CoordinatorFixture.partition("a"));
		assertThat(this.instance.drain()).containsExactly("neighbour");
	}

	@Test
	void retryIsNeverEarly() {
		this.fixture.enqueue("a1");
		fail(RETRY, "a1");
		this.fixture.clock().advance(DELAY.minusNanos(1000));
		assertThat(this.instance.claim().work()).isEmpty();
		this.fixture.clock().advance(Duration.ofNanos(1000));
		assertThat(names(this.instance.claim())).containsExactly("a1");
	}

	@Test
	void callerLearnsWhenTheNextRetryIsDue() {
		this.fixture.enqueue("a1", "b1");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, RETRY, "a1");
		this.instance.report(held, new Outcome.Retry(Duration.ofSeconds(10), "boom"), "b1");
		assertThat(this.instance.claim().nextDue()).isEqualTo(Duration.ofSeconds(10));
		this.fixture.clock().advance(Duration.ofSeconds(15));
		WorkBatch due = this.instance.claim();
		assertThat(names(due)).containsExactly("b1");
		this.instance.finish(due);
		assertThat(this.instance.claim().nextDue()).isEqualTo(Duration.ofSeconds(15));
	}

	@Test
	void everyFailureCountsOnceAndKeepsItsError() {
		this.fixture.enqueue("a1");
		for (int i = 1; i <= 3; i++) {
			fail(new Outcome.Retry(DELAY, "boom " + i), "a1");
			assertThat(this.fixture.attempts("a1")).isEqualTo(i);
			this.fixture.clock().advance(DELAY);
		}
		WorkBatch again = this.instance.claim();
		assertThat(work(again, "a1").attempts()).isEqualTo(3);
		assertThat(work(again, "a1").lastError()).isEqualTo("boom 3");
	}

	@Test
	void messageThatIsTriedForEverStopsCountingInsteadOfFailingTheReport() {
		this.fixture.enqueue("a1");
		this.fixture.jdbc().update("update whizbang.wh_messages set attempts = 32766");
		for (int i = 0; i < 2; i++) {
			fail(RETRY, "a1");
			assertThat(this.fixture.attempts("a1")).isEqualTo(32767);
			this.fixture.clock().advance(DELAY);
		}
		this.instance.claim();
		this.fixture.clock().advance(CoordinatorFixture.LEASE.plusMillis(1));
		assertThat(work(this.instance.claim(), "a1").attempts()).isEqualTo(32767);
	}

	@Test
	void errorsMayContainAnything() {
		String error = "it's \"bad\" \\ {json} \n\t \u00e4\u4e2d\ud83d\ude00 $1 %s";
		this.fixture.enqueue("a1");
		fail(new Outcome.Retry(DELAY, error + '\0'), "a1");
		assertThat(this.fixture.error("a1")).isEqualTo(error + '\uFFFD');
	}

	@Test
	void postponedMessageWaitsAndCountsNoAttempt() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkBatch held = this.instance.claim();
		assertThat(this.instance.report(held, new Outcome.Postpone(DELAY, "broker is down"), "a1").released())
			.containsExactly(work(held, "a2").seq());
		this.instance.finish(held);
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(DELAY);
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("a1", "a2");
		assertThat(work(again, "a1").attempts()).isZero();
		assertThat(work(again, "a1").lastError()).isEqualTo("broker is down");
	}

	@Test
	void releasedMessageComesBackAtOnceAsIfItHadNeverBeenClaimed() {
		this.fixture.enqueue("a1", "a2");
		this.fixture.enqueueKeyless("x");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, Outcome.RELEASE, "a1", "x");
		assertThat(this.fixture.claims()).isZero();
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("a1", "a2", "x");
		assertThat(again.work()).allMatch((work) -> work.attempts() == 0 && work.lastError() == null);
	}

	@Test
	void deadLetterKeepsEverythingAndBlocksNothing() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim();
		assertThat(this.instance.report(held, DEAD, "a1").released()).isEmpty();
		assertThat(this.instance.finish(held).lost()).isEmpty();
		assertThat(this.fixture.waiting()).isZero();
		Map<String, Object> letter = this.fixture.jdbc().queryForMap("select * from whizbang.wh_dead_letters");
		assertThat(letter).containsEntry("reason", "permanent")
			.containsEntry("error", "no such address")
			.containsEntry("attempts", 1)
			.containsEntry("payload", "a1")
			.containsEntry("stream_key", "a")
			.containsEntry("seq", work(held, "a1").seq())
			.containsEntry("message_id", work(held, "a1").envelope().id().value())
			.containsEntry("instance_id", this.instance.id());
	}

	@Test
	void deadHeadLetsTheLineBehindItGo() {
		this.fixture.enqueue("a1", "a2");
		fail(RETRY, "a1");
		this.fixture.enqueue("a3");
		this.fixture.clock().advance(DELAY);
		WorkBatch held = this.instance.claim(2);
		assertThat(names(held)).contains("a1");
		this.instance.report(held, DEAD, "a1");
		this.instance.finish(held);
		assertThat(this.instance.drain()).endsWith("a3");
		assertThat(this.fixture.deadLetters()).containsExactly("a1");
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void messagesWithoutStreamNeverBlockEachOther() {
		this.fixture.enqueueKeyless("x", "y", "z");
		WorkBatch held = this.instance.claim();
		assertThat(this.instance.report(held, RETRY, "x").released()).isEmpty();
		this.instance.finish(held);
		this.fixture.enqueueKeyless("w");
		assertThat(this.instance.drain()).containsExactly("w");
		this.fixture.clock().advance(DELAY);
		assertThat(this.instance.drain()).containsExactly("x");
	}

	@Test
	void stormOfRetriesLeavesHalfOfTheRoomToFreshWork() {
		List<String> streams = this.fixture.streamsFor(1, 0, 40);
		this.fixture.enqueue(streams.stream().map((name) -> name + 1).toArray(String[]::new));
		fail(RETRY, streams.stream().map((name) -> name + 1).toArray(String[]::new));
		this.fixture.clock().advance(DELAY);
		this.fixture.enqueueKeyless(IntStream.range(0, 40).mapToObj((i) -> "fresh" + i).toArray(String[]::new));
		WorkBatch batch = this.instance.claim(20);
		assertThat(batch.work()).hasSize(20);
		assertThat(names(batch).stream().filter((name) -> name.startsWith("fresh"))).hasSize(10);
		assertThat(batch.more()).isTrue();
		this.instance.finish(batch);
		assertThat(this.instance.drain()).hasSize(60).doesNotHaveDuplicates();
	}

	@Test
	void retriesComeInTheOrderInWhichTheyAreDue() {
		this.fixture.enqueue("a1", "b1", "c1");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, new Outcome.Retry(Duration.ofSeconds(3), "boom"), "a1");
		this.instance.report(held, new Outcome.Retry(Duration.ofSeconds(1), "boom"), "b1");
		this.instance.report(held, new Outcome.Retry(Duration.ofSeconds(2), "boom"), "c1");
		this.fixture.clock().advance(Duration.ofSeconds(3));
		assertThat(names(this.instance.claim(2))).contains("b1");
		assertThat(names(this.instance.claim(2))).contains("c1");
		assertThat(names(this.instance.claim(2))).contains("a1");
	}

	@Test
	void retryWhosePartitionWasBusyIsFoundAgainThoughManyOthersWereDueBesideIt() {
		this.fixture.enqueue("a1");
		fail(new Outcome.Retry(Duration.ofSeconds(5), "boom"), "a1");
		List<String> streams = this.fixture.streamsFor(1, 0, 100);
		String[] others = streams.stream().map((name) -> name + 1).toArray(String[]::new);
		this.fixture.enqueue(others);
		fail(new Outcome.Retry(Duration.ofSeconds(60), "boom"), others);
		this.fixture.jdbc()
			.update("""
					insert into whizbang.wh_messages
					    (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
					values (1, ?, 2, gen_random_uuid(), 'test', 'Test', '{}', 'neighbour')""",
					CoordinatorFixture.partition("a"));
		WorkBatch neighbour = this.instance.claim();
		assertThat(names(neighbour)).containsExactly("neighbour");
		this.fixture.clock().advance(Duration.ofSeconds(60));
		WorkBatch batch;
		do {
			batch = this.instance.claim(10);
			if (batch.claim() != null) {
				this.instance.finish(batch);
			}
		}
		while (batch.more());
		assertThat(this.fixture.waiting()).as("a1 and its neighbour").isEqualTo(2);
		assertThat(names(this.instance.exchange(TestInstance.finished(neighbour), 10))).containsExactly("a1");
	}

}

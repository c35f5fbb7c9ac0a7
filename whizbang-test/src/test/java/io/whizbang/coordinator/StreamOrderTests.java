package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.whizbang.message.NewMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.whizbang.coordinator.CoordinatorFixture.message;
import static io.whizbang.coordinator.TestInstance.names;
import static io.whizbang.coordinator.TestInstance.outcomes;
import static io.whizbang.coordinator.TestInstance.work;
import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class StreamOrderTests {

	private static final Outcome RETRY = new Outcome.Retry(Duration.ofMinutes(1), "boom");

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	StreamOrderTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	@Test
	void claimIsInQueueOrder() {
		this.fixture.enqueue("b1", "a1", "b2", "a2");
		this.fixture.enqueueKeyless("x");
		this.fixture.enqueue("a3");
		assertThat(names(this.instance.claim())).containsExactly("b1", "a1", "b2", "a2", "x", "a3");
	}

	@Test
	void messagesOfOneTransactionKeepTheirOrderThoughTheirTimesAreEqual() {
		String[] names = new String[50];
		for (int i = 0; i < names.length; i++) {
			names[i] = "a" + (1000 - i);
		}
		this.fixture.enqueue(names);
		assertThat(this.fixture.number("select count(distinct created_at) from whizbang.wh_messages")).isOne();
		assertThat(this.instance.drain()).containsExactly(names);
	}

	@Test
	void laterMessagesWaitWhileAnEarlierOneIsHeldEvenForItsHolder() {
		this.fixture.enqueue("a1", "a2");
		WorkBatch held = this.instance.claim(1);
		assertThat(names(held)).containsExactly("a1");
		assertThat(this.instance.claim().work()).isEmpty();
		this.instance.finish(held);
		assertThat(this.instance.drain()).containsExactly("a2");
	}

	@Test
	void finishingAndClaimingInOneCallGoesOnWithTheStream() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim(1);
		assertThat(names(this.instance.exchange(TestInstance.finished(held), 1))).containsExactly("a2");
	}

	@Test
	void failureGivesBackTheLaterMessagesOfItsStream() {
		this.fixture.enqueue("a1", "b1", "a2", "b2", "a3");
		WorkBatch held = this.instance.claim();
		WorkBatch answer = this.instance.report(held, RETRY, "a1");
		assertThat(answer.released()).containsExactlyInAnyOrder(work(held, "a2").seq(), work(held, "a3").seq());
		assertThat(this.instance.finish(held).lost()).isEmpty();
		assertThat(this.fixture.waiting()).as("b1 and b2 are done").isEqualTo(3);
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofMinutes(1));
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("a1", "a2", "a3");
		assertThat(again.work()).extracting("attempts").containsExactly(1, 0, 0);
	}

	@Test
	void failureInTheMiddleOfAFinishedClaimKeepsWhatWasDoneBefore() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim();
		WorkBatch answer = this.instance.exchange(new WorkReport(List.of(TestInstance.claimOf(held)),
				outcomes(held, RETRY, "a2"), List.of(), null, List.of()), 0);
		assertThat(answer.released()).containsExactly(work(held, "a3").seq());
		assertThat(this.fixture.claims()).isZero();
		this.fixture.clock().advance(Duration.ofMinutes(1));
		assertThat(this.instance.drain()).containsExactly("a2", "a3");
	}

	@Test
	void givenBackMessagesGoToAnotherInstanceInOrder() {
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1, stream + 2, stream + 3);
		WorkBatch held = this.instance.claim();
		TestInstance other = this.fixture.join();
		this.instance.report(held, Outcome.RELEASE, stream + 2);
		assertThat(other.drain()).as("while the first is in progress").isEmpty();
		this.instance.finish(held);
		assertThat(other.drain()).containsExactly(stream + 2, stream + 3);
	}

	@Test
	void earlierFailureBehindAReleasedMessageTakesTheHeadOfTheStream() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, Outcome.RELEASE, "a3");
		this.instance.report(held, Outcome.RELEASE, "a2");
		this.instance.report(held, RETRY, "a1");
		assertThat(this.fixture.status("a1")).isEqualTo("waiting");
		assertThat(this.fixture.status("a2")).isEqualTo("parked");
		assertThat(this.fixture.status("a3")).isEqualTo("parked");
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofMinutes(1));
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "a3");
	}

	@Test
	void newMessagesQueueBehindThoseThatWait() {
		this.fixture.enqueue("a1", "a2");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, RETRY, "a1");
		this.fixture.enqueue("a3");
		this.instance.drain();
		this.fixture.enqueue("a4");
		this.fixture.clock().advance(Duration.ofMinutes(1));
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "a3", "a4");
	}

	@Test
	void longLineBehindAHeadComesInPiecesAndInOrder() {
		this.fixture.enqueueMany("a", 250);
		WorkBatch held = this.instance.claim(10);
		this.instance.report(held, RETRY, "a1");
		this.fixture.enqueue("b1");
		assertThat(this.instance.drain()).containsExactly("b1");
		this.fixture.clock().advance(Duration.ofMinutes(1));
		List<String> expected = new ArrayList<>();
		for (int i = 1; i <= 250; i++) {
			expected.add("a" + i);
		}
		assertThat(this.instance.drain()).containsExactlyElementsOf(expected);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void lockTimeoutOfTheApplicationDoesNotCostItsTransaction(int count) throws Exception {
		JdbcMessageStore store = new JdbcMessageStore("whizbang");
		List<NewMessage> messages = IntStream.rangeClosed(2, count + 1).mapToObj((i) -> message("a" + i, "a")).toList();
		try (Connection first = this.fixture.database().unpooledDataSource().getConnection();
				Connection second = this.fixture.database().unpooledDataSource().getConnection();
				Statement settings = second.createStatement()) {
			first.setAutoCommit(false);
			second.setAutoCommit(false);
			settings.execute("set lock_timeout = '20ms'");
			store.store(first, Queue.OUTBOX, List.of(message("a1", "a")), true);
			CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
				try {
					store.store(second, Queue.OUTBOX, messages, true);
					second.commit();
				}
				catch (SQLException ex) {
					throw new IllegalStateException(ex);
				}
			}, (task) -> new Thread(task, "waiting").start());
			Await.until("a wait for the stream that outlasts the timeout",
					() -> waiting.isDone() || this.fixture.number("select count(*) from pg_stat_activity "
							+ "where datname = current_database() and wait_event_type = 'Lock' "
							+ "and query_start < clock_timestamp() - interval '100 ms'") == 1);
			assertThat(waiting).isNotDone();
			first.commit();
			waiting.get(10, TimeUnit.SECONDS);
		}
		assertThat(this.instance.drain()).hasSize(count + 1).isSorted();
	}

	@Test
	void transactionThatCommitsLateIsNeitherLostNorOvertaken() throws SQLException {
		try (Connection late = this.fixture.database().unpooledDataSource().getConnection()) {
			late.setAutoCommit(false);
			new JdbcMessageStore("whizbang").store(late, Queue.OUTBOX, List.of(message("a1", "a")), true);
			for (int i = 1; i <= 5; i++) {
				this.fixture.enqueue("b" + i);
				assertThat(this.instance.drain()).containsExactly("b" + i);
			}
			late.commit();
		}
		this.fixture.enqueue("a2");
		WorkBatch batch = this.instance.claim();
		assertThat(names(batch)).containsExactly("a1", "a2");
		this.fixture.clock().advance(Duration.ofSeconds(31));
		assertThat(this.instance.claim().orphans()).isZero();
	}

	@Test
	void safetySweepFindsWhatAProducerThatBreaksTheRulesCommitsLate() throws SQLException {
		this.fixture.enqueue("b1");
		assertThat(this.instance.drain()).containsExactly("b1");
		try (Connection late = this.fixture.database().unpooledDataSource().getConnection();
				Statement statement = late.createStatement()) {
			late.setAutoCommit(false);
			statement.execute("""
					insert into whizbang.wh_messages
					    (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
					values (1, 5, 2, gen_random_uuid(), 'test', 'Test', '{}', 'x')""");
			this.fixture.enqueue("b2");
			int last = this.fixture.number("select last_value from whizbang.wh_message_seq");
			Await.until("the scan to pass the place of x", () -> {
				this.instance.drain();
				return this.instance.ahead() >= last;
			});
			late.commit();
		}
		assertThat(this.instance.claim().work()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(31));
		WorkBatch swept = this.instance.claim();
		assertThat(swept.orphans()).isOne();
		assertThat(names(swept)).containsExactly("x");
	}

	@Test
	void rolledBackTransactionLeavesNothing() throws SQLException {
		try (Connection connection = this.fixture.database().unpooledDataSource().getConnection()) {
			connection.setAutoCommit(false);
			new JdbcMessageStore("whizbang").store(connection, Queue.OUTBOX, List.of(message("a1", "a")), true);
			connection.rollback();
		}
		this.fixture.enqueue("a2");
		assertThat(this.instance.drain()).containsExactly("a2");
	}

}

package io.whizbang.letter;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.whizbang.letter.LetterFixture.ADA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A replayed message goes to the end of its stream, as it was, exactly once.
 */
@PostgresTest
class ReplayTests {

	private final PostgresDatabase database;

	private final LetterFixture fixture;

	private final JdbcDeadLetters letters;

	ReplayTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new LetterFixture(database);
		this.letters = this.fixture.letters;
	}

	@AfterEach
	void leave() {
		this.fixture.close();
	}

	@Test
	void replayedMessageIsDeliveredAfterWhatWaitsInItsStream() {
		this.fixture.die("A1");
		this.fixture.enqueue("A2", "A3");
		assertThat(this.letters.replay(this.fixture.id("A1"), ADA)).isEqualTo(new Decision(1, Set.of(), Set.of()));
		assertThat(this.fixture.names()).isEmpty();
		assertThat(this.fixture.deliverNames()).containsExactly("A2", "A3", "A1");
	}

	@Test
	void replayedMessageIsWhatItWasAndHasNoAttempts() {
		this.fixture.die("A1");
		Envelope before = this.fixture.letter("A1").message();
		assertThat(before).isNotNull();
		this.letters.replay(this.fixture.id("A1"), ADA);
		Work work = this.fixture.deliver().get(0);
		assertThat(work.attempts()).isZero();
		assertThat(work.lastError()).isNull();
		assertThat(work.envelope()).usingRecursiveComparison().ignoringFields("createdAt").isEqualTo(before);
		assertThat(work.envelope().headers()).containsEntry("traceparent", "00-A1");
		assertThat(work.envelope().stream()).isEqualTo(StreamId.of("A"));
	}

	@Test
	void workersAreToldAfterTheCommit() {
		this.fixture.die("A1");
		this.letters.replay(this.fixture.id("A1"), ADA);
		assertThat(this.fixture.signals).containsExactly(Set.of(StreamId.partitionHash(StreamId.of("A").value())));
		assertThat(this.fixture.news).containsExactly("REPLAYED outbox 1");
	}

	@Test
	void lettersOfAStreamKeepTheirOrder() {
		this.fixture.die("A1", "A2", "B1", "A3", "B2");
		List<Long> ids = List.of(this.fixture.id("A3"), this.fixture.id("B2"), this.fixture.id("A1"),
				this.fixture.id("A2"), this.fixture.id("B1"));
		assertThat(this.letters.replay(ids, ADA).count()).isEqualTo(5);
		List<String> delivered = this.fixture.deliverNames();
		assertThat(delivered).filteredOn((name) -> name.startsWith("A")).containsExactly("A1", "A2", "A3");
		assertThat(delivered).filteredOn((name) -> name.startsWith("B")).containsExactly("B1", "B2");
	}

	@Test
	void secondDeathShowsTheFirst() {
		this.fixture.die("A1");
		DeadLetter first = this.fixture.letter("A1");
		assertThat(first.history()).isEmpty();
		this.letters.replay(first.id(), ADA.noting("fixed in 1.4"));
		this.fixture.dieAgain("A1");
		DeadLetter second = this.fixture.letter("A1");
		assertThat(second.id()).isGreaterThan(first.id());
		assertThat(second.attempts()).isEqualTo(1);
		assertThat(second.history()).singleElement().satisfies((entry) -> {
			assertThat(entry.action()).isEqualTo(Action.REPLAYED);
			assertThat(entry.by()).isEqualTo(ADA.noting("fixed in 1.4"));
			assertThat(entry.letterId()).isEqualTo(first.id());
			assertThat(entry.reason()).isEqualTo(RetryPolicy.PERMANENT);
			assertThat(entry.attempts()).isEqualTo(1);
			assertThat(entry.error()).isEqualTo(first.error())
				.contains("no hope for A1", "the root", "\tat io.whizbang");
			assertThat(entry.diedAt()).isEqualTo(first.diedAt());
			assertThat(entry.at()).isBetween(first.diedAt(), second.diedAt());
		});
		assertThat(this.letters.list(DeadLetterFilter.ALL, null, 10).letters()).singleElement()
			.satisfies((letter) -> assertThat(letter.replays()).isEqualTo(1));
		this.letters.replay(second.id(), Operator.named("bob"));
		this.fixture.dieAgain("A1");
		assertThat(this.fixture.letter("A1").history()).extracting((entry) -> entry.by().name())
			.containsExactly("ada", "bob");
	}

	@Test
	void ofTwoOperatorsOneReplays() throws Exception {
		this.fixture.die("A1", "B1");
		List<Long> ids = List.of(this.fixture.id("A1"), this.fixture.id("B1"));
		try (Connection other = this.database.unpooledDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select from whizbang.wh_dead_letters order by dead_letter_id for update");
			List<CompletableFuture<Decision>> decisions = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				// A thread for each: a small machine's common pool has but one.
				decisions.add(CompletableFuture.supplyAsync(() -> this.letters.replay(ids, ADA),
						(task) -> new Thread(task).start()));
			}
			awaitBlocked(4);
			other.rollback();
			int replayed = 0;
			for (CompletableFuture<Decision> decision : decisions) {
				Decision made = decision.get(30, TimeUnit.SECONDS);
				assertThat(made.count() + made.absent().size()).isEqualTo(2);
				replayed += made.count();
			}
			assertThat(replayed).isEqualTo(2);
		}
		assertThat(this.fixture.deliverNames()).containsExactlyInAnyOrder("A1", "B1");
		assertThat(this.letters.audit(null, null, 10)).hasSize(2);
	}

	private void awaitBlocked(int count) {
		Await.until(count + " operators that wait",
				() -> Integer.valueOf(count).equals(this.fixture.jdbc().queryForObject("""
						select count(*) from pg_stat_activity
						where datname = current_database() and wait_event_type = 'Lock'""", Integer.class)));
	}

	@Test
	void replayWaitsForTheCommitOfWhoEnqueuesToTheStream() throws Exception {
		this.fixture.die("A1");
		long id = this.fixture.id("A1");
		try (Connection producer = this.database.unpooledDataSource().getConnection()) {
			producer.setAutoCommit(false);
			new JdbcMessageStore("whizbang").store(producer, Queue.OUTBOX,
					List.of(LetterFixture.message("A2", "things")), true);
			CompletableFuture<Decision> decision = CompletableFuture.supplyAsync(() -> this.letters.replay(id, ADA));
			awaitBlocked(1);
			producer.commit();
			assertThat(decision.get(30, TimeUnit.SECONDS).count()).isEqualTo(1);
		}
		assertThat(this.fixture.deliverNames()).containsExactly("A2", "A1");
	}

	@Test
	void allOfAReasonAreReplayedInBatchesAndOthersStay() {
		this.fixture.bury(10_000, "max-attempts");
		this.fixture.bury(3, "permanent");
		this.letters.record(this.fixture.raw("kafka:orders", "{"));
		assertThat(this.letters.replayAll(DeadLetterFilter.ALL.reason("max-attempts"), ADA)).isEqualTo(10_000);
		assertThat(this.fixture.news).hasSize(20).containsOnly("REPLAYED outbox 500");
		assertThat(this.fixture.names()).hasSize(4);
		assertThat(this.fixture.jdbc().queryForList("""
				select distinct xmin::text from whizbang.wh_messages""", String.class)).as("transactions").hasSize(20);
		List<Map<String, Object>> disorder = this.fixture.jdbc()
			.queryForList(
					"""
							select * from (select payload::int as now, lag(payload::int) over (partition by stream_id order by seq) as before
							               from whizbang.wh_messages) m
							where now < before""");
		assertThat(disorder).isEmpty();
	}

	@Test
	void batchesEndAlsoWhenBodiesAreLarge() {
		this.fixture.bury(5, "max-attempts");
		this.fixture.jdbc().update("update whizbang.wh_dead_letters set payload = repeat('x', 10000000)");
		assertThat(this.letters.replayAll(DeadLetterFilter.ALL, ADA)).isEqualTo(5);
		assertThat(this.fixture.news).hasSize(5).containsOnly("REPLAYED outbox 1");
	}

	@Test
	void whatDiesAgainMeanwhileIsNotReplayedForEver() {
		this.fixture.bury(2, "max-attempts");
		JdbcDeadLetters dying = new JdbcDeadLetters(this.database.dataSource(), "whizbang",
				(queue, hashes) -> this.fixture.bury(2, "max-attempts"), LetterListener.NONE);
		assertThat(dying.replayAll(DeadLetterFilter.ALL.reason("max-attempts"), ADA)).isEqualTo(2);
		assertThat(this.fixture.names()).hasSize(2);
	}

	@Test
	void failureToTellTheWorkersDoesNotUndoTheReplay() {
		this.fixture.die("A1");
		JdbcDeadLetters mute = new JdbcDeadLetters(this.database.dataSource(), "whizbang", (queue, hashes) -> {
			throw new IllegalStateException("nobody listens");
		}, LetterListener.NONE);
		assertThat(mute.replay(this.fixture.id("A1"), ADA).count()).isEqualTo(1);
		assertThat(this.fixture.deliverNames()).containsExactly("A1");
	}

	@Test
	void whatNeverWasAMessageIsNotReplayed() {
		this.fixture.die("A1");
		long raw = this.letters.record(this.fixture.raw("kafka:orders", "{"));
		Decision decision = this.letters.replay(List.of(raw, this.fixture.id("A1"), 4711L), ADA);
		assertThat(decision).isEqualTo(new Decision(1, Set.of(4711L), Set.of(raw)));
		assertThat(this.letters.find(raw)).isNotNull();
		assertThat(this.letters.replayAll(DeadLetterFilter.ALL, ADA)).isZero();
		assertThat(this.letters.find(raw)).isNotNull();
	}

	@Test
	void unknownLettersAreAbsentAndTooManyRefused() {
		assertThat(this.letters.replay(4711, ADA)).isEqualTo(new Decision(0, Set.of(4711L), Set.of()));
		assertThat(this.letters.replay(List.of(), ADA)).isEqualTo(new Decision(0, Set.of(), Set.of()));
		List<Long> many = LongStream.range(0, 1001).boxed().toList();
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.replay(many, ADA))
			.withMessageContaining("1001 letters")
			.withMessageContaining("1000");
	}

}

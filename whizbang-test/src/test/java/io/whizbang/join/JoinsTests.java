package io.whizbang.join;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is promised of joins. They bear on G1 (start, attach and report with the
 * transaction), G2 (a member that dies is reported, what follows is a message) and G5
 * (only who takes a message out of the queue reports it).
 */
@PostgresTest
class JoinsTests {

	private final PostgresDatabase database;

	private JoinFixture fixture;

	private JoinInstance app;

	JoinsTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JoinFixture(this.database);
		this.app = this.fixture.instance();
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void aDeadlineWaitsForReportsThatAnotherWorkerIsAboutToCount() throws SQLException {
		this.fixture.clock.set(JoinFixture.NOON);
		JoinId join = this.app.joins
			.start(NewJoin.expecting(1).deadline(Duration.ofMinutes(10)).whenDone("then").whenExpired("late").build());
		this.app.joins.attach(join, "a");
		this.app.joins.reportDone(join, "a");
		this.fixture.clock.advance(Duration.ofMinutes(20));
		try (Connection other = this.database.unpooledDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			// Reports are locked before their joins.
			statement.execute("select report_id from whizbang.wh_join_reports for update skip locked");
			this.app.run();
			assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.OPEN);
			other.rollback();
		}
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::done, Join::late)
			.containsExactly(JoinStatus.DONE, 1, 0);
	}

	private JoinId start(int expected) {
		return this.app.joins.start(NewJoin.expecting(expected).whenEnded("then").metadata("night", "monday").build());
	}

	@Test
	void oneMessageFollowsWhenAllMembersWereDelivered() {
		JoinId join = start(3);
		this.app.joins.enqueueAll(join, JoinFixture.messages("work", 2));
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::expected, Join::attached, Join::done)
			.containsExactly(JoinStatus.OPEN, 3, 2, 2);
		assertThat(this.fixture.followedIn("then")).isEmpty();
		this.app.joins.enqueue(join, OutboxMessage.to("work", 3).build());
		this.app.run();
		this.app.run();
		Join closed = this.app.find(join);
		assertThat(closed.status()).isEqualTo(JoinStatus.DONE);
		assertThat(closed.closedAt()).isNotNull();
		assertThat(this.fixture.followedIn("then")).containsExactly(
				new JoinResult(join.toString(), null, JoinStatus.DONE, 3, 3, 0, Map.of("night", "monday")));
		assertThat(this.fixture.count("select count(*) from whizbang.wh_join_reports")).isZero();
	}

	@Test
	void aDeadLetterIsAFailureAndTheOthersAreWaitedFor() {
		JoinId join = start(3);
		List<MessageId> dead = this.app.joins.enqueueAll(join, JoinFixture.messages("poison", 1));
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::failed).containsExactly(JoinStatus.OPEN, 1);
		this.app.joins.enqueueAll(join, JoinFixture.messages("work", 2));
		this.app.run();
		assertThat(this.fixture.followedIn("then")).singleElement()
			.extracting(JoinResult::status, JoinResult::done, JoinResult::failed, JoinResult::missing)
			.containsExactly(JoinStatus.FAILED, 2, 1, 0);
		assertThat(this.app.joins.members(join, null, 10)).filteredOn((member) -> member.reason() != null)
			.singleElement()
			.satisfies((member) -> {
				assertThat(member.name()).isEqualTo(dead.get(0).toString());
				assertThat(member.outcome()).isEqualTo(JoinMember.Outcome.FAILED);
			});
	}

	@Test
	void theFirstFailureClosesAJoinThatIsNotToWaitAndLaterReportsAreKept() {
		JoinId join = this.app.joins
			.start(NewJoin.expecting(3).failFast().whenDone("done").whenFailed("failed").build());
		this.app.joins.attachAll(join, List.of("a", "b", "c"));
		this.app.joins.reportDone(join, "a");
		this.app.joins.reportFailed(join, "b", "no paper");
		this.app.run();
		assertThat(this.fixture.followedIn("failed")).singleElement()
			.extracting(JoinResult::done, JoinResult::failed, JoinResult::missing)
			.containsExactly(1, 1, 1);
		this.app.joins.reportDone(join, "c");
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::done, Join::failed, Join::late)
			.containsExactly(JoinStatus.FAILED, 1, 1, 1);
		assertThat(this.app.joins.members(join, "b", 1)).singleElement()
			.extracting(JoinMember::name, JoinMember::outcome, JoinMember::late)
			.containsExactly("c", JoinMember.Outcome.DONE, true);
		assertThat(this.fixture.followedIn("failed")).hasSize(1);
		assertThat(this.fixture.followedIn("done")).isEmpty();
	}

	@Test
	void onlyTheFirstReportOfAMemberCounts() {
		JoinId join = start(2);
		this.app.joins.attachAll(join, List.of("a", "b"));
		this.app.joins.reportDone(join, "a");
		this.app.joins.reportDone(join, "a");
		this.app.joins.reportFailed(join, "a", "too late");
		this.app.run();
		this.app.joins.reportFailed(join, "a", "much too late");
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::done, Join::failed).containsExactly(1, 0);
		assertThat(this.fixture.followedIn("then")).isEmpty();
	}

	@Test
	void aMessageThatIsReplayedAndDeliveredAgainCountsOnce() {
		JoinId join = start(2);
		MessageId dead = this.app.joins.enqueue(join, OutboxMessage.to("poison", 1).build());
		this.app.run();
		this.fixture.jdbc.update("update whizbang.wh_dead_letters set topic = 'work' where message_id = ?",
				dead.value());
		this.fixture.jdbc.queryForList("""
				select whizbang.replay_letters(array_agg(l.dead_letter_id), array_agg(0), 'me', null)
				from whizbang.wh_dead_letters l""");
		this.app.run();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isZero();
		assertThat(this.app.find(join)).extracting(Join::done, Join::failed).containsExactly(0, 1);
		this.app.joins.enqueue(join, OutboxMessage.to("work", 2).build());
		this.app.run();
		assertThat(this.fixture.followedIn("then")).hasSize(1);
	}

	@Test
	void attachingTwiceIsAttachingOnce() {
		JoinId join = start(2);
		assertThat(this.app.joins.attachAll(join, List.of("a", "a"))).isEqualTo(1);
		assertThat(this.app.joins.attach(join, "a")).isFalse();
		assertThat(this.app.joins.attachAll(join, List.of("a", "b"))).isEqualTo(1);
		assertThat(this.app.find(join).attached()).isEqualTo(2);
		List<OutboxMessage> messages = JoinFixture.messages("work", 1);
		JoinId other = start(1);
		this.app.joins.enqueueAll(other, messages);
		this.app.joins.enqueueAll(other, messages);
		this.app.run();
		assertThat(this.app.find(other)).extracting(Join::status, Join::done).containsExactly(JoinStatus.DONE, 1);
	}

	@Test
	void moreMembersThanExpectedAreRefusedTogether() {
		JoinId join = start(2);
		this.app.joins.attach(join, "a");
		assertThatExceptionOfType(JoinRefusedException.class)
			.isThrownBy(() -> this.app.joins.attachAll(join, List.of("b", "c")))
			.withMessageContaining("expects 2 members and has 1");
		assertThat(this.app.joins.members(join, null, 10)).extracting(JoinMember::name).containsExactly("a");
	}

	@Test
	void whatDoesNotFitIsRefusedClearly() {
		JoinId join = start(1);
		assertThatExceptionOfType(JoinRefusedException.class).isThrownBy(() -> this.app.joins.reportDone(join, "x"))
			.withMessageContaining("has no member \"x\"");
		JoinId unknown = JoinId.next();
		assertThatExceptionOfType(JoinRefusedException.class).isThrownBy(() -> this.app.joins.attach(unknown, "x"))
			.withMessageContaining("There is no join " + unknown);
		assertThatExceptionOfType(JoinRefusedException.class).isThrownBy(() -> this.app.joins.seal(unknown));
		assertThat(this.app.joins.cancel(unknown)).isFalse();
		OutboxMessage member = OutboxMessage.to("work", 1).headers(join.headers()).build();
		assertThatIllegalArgumentException().isThrownBy(() -> this.app.joins.enqueue(join, member))
			.withMessageContaining("a message has one join");
		assertThatIllegalArgumentException().isThrownBy(() -> this.app.joins.attach(join, "m".repeat(201)))
			.withMessageContaining("201 characters");
		assertThatIllegalArgumentException().isThrownBy(() -> NewJoin.expecting(-1).build());
		assertThatIllegalArgumentException().isThrownBy(() -> NewJoin.expecting(1).whenExpired("x").build());
		assertThatIllegalArgumentException().isThrownBy(() -> this.app.joins.open(null, 0));
	}

	@Test
	void aClosedJoinTakesNoMembers() {
		JoinId join = start(1);
		this.app.joins.attach(join, "a");
		this.app.joins.reportDone(join, "a");
		this.app.run();
		assertThatExceptionOfType(JoinRefusedException.class).isThrownBy(() -> this.app.joins.attach(join, "b"))
			.withMessageContaining("is closed (DONE)");
		assertThatExceptionOfType(JoinRefusedException.class)
			.isThrownBy(() -> this.app.joins.enqueueAll(join, JoinFixture.messages("work", 1)));
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox where topic = 'work'")).isZero();
	}

	@Test
	void anOpenEndedJoinWaitsUntilItIsSealed() {
		JoinId join = this.app.joins.start(NewJoin.openEnded().whenDone("then").build());
		this.app.joins.enqueueAll(join, JoinFixture.messages("work", 5));
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::expected, Join::done)
			.containsExactly(JoinStatus.OPEN, null, 5);
		assertThat(this.app.joins.seal(join)).isEqualTo(5);
		this.app.run();
		assertThat(this.fixture.followedIn("then")).singleElement().extracting(JoinResult::expected).isEqualTo(5);
		assertThat(this.app.joins.seal(join)).isEqualTo(5);
	}

	@Test
	void nothingToWaitForIsDoneAtOnce() {
		start(0);
		this.app.joins.seal(this.app.joins.start(NewJoin.openEnded().whenDone("then").build()));
		this.app.run();
		assertThat(this.fixture.followedIn("then")).extracting(JoinResult::status)
			.containsExactly(JoinStatus.DONE, JoinStatus.DONE);
	}

	@Test
	void aDeadlineClosesWhatIsNotComplete() {
		this.fixture.clock.set(JoinFixture.NOON);
		JoinId join = this.app.joins
			.start(NewJoin.expecting(3).deadline(Duration.ofMinutes(10)).whenEnded("then").whenExpired("late").build());
		this.app.joins.attachAll(join, List.of("a", "b"));
		this.app.joins.reportDone(join, "a");
		this.fixture.clock.advance(Duration.ofMinutes(9));
		this.app.run();
		assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.OPEN);
		this.fixture.clock.advance(Duration.ofMinutes(1));
		this.app.run();
		assertThat(this.fixture.followedIn("late")).singleElement()
			.extracting(JoinResult::status, JoinResult::done, JoinResult::missing)
			.containsExactly(JoinStatus.EXPIRED, 1, 2);
		this.app.joins.reportDone(join, "b");
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::done, Join::late).containsExactly(1, 1);
		assertThat(this.fixture.followedIn("then")).isEmpty();
	}

	@Test
	void whatWasReportedBeforeTheDeadlineIsCountedBeforeIt() {
		this.fixture.clock.set(JoinFixture.NOON);
		List<JoinId> joins = new ArrayList<>();
		for (int n = 0; n < 3; n++) {
			JoinId join = this.app.joins.start(NewJoin.expecting(150)
				.deadline(Duration.ofMinutes(10))
				.whenDone("then")
				.whenExpired("late")
				.build());
			List<String> members = IntStream.range(0, 150).mapToObj(String::valueOf).toList();
			this.app.joins.attachAll(join, members);
			this.app.transaction
				.executeWithoutResult((status) -> members.forEach((member) -> this.app.joins.reportDone(join, member)));
			joins.add(join);
		}
		this.fixture.clock.advance(Duration.ofMinutes(20));
		this.app.run();
		assertThat(joins).allSatisfy((join) -> assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.DONE));
		assertThat(this.fixture.followedIn("late")).isEmpty();
	}

	@Test
	void deadlinesThatHaveLongPassedCloseTheirJoinsAtOnceHoweverManyThereAre() {
		this.fixture.clock.set(JoinFixture.NOON);
		this.app.transaction.executeWithoutResult((status) -> {
			for (int n = 0; n < 250; n++) {
				this.app.joins.start(NewJoin.expecting(1).deadline(Duration.ofMinutes(1)).whenExpired("late").build());
			}
		});
		this.fixture.clock.advance(Duration.ofHours(1));
		JoinWorker worker = this.app.worker(Duration.ofHours(1));
		worker.start();
		try {
			Await.until("all have expired", () -> this.fixture.followedIn("late").size() == 250);
		}
		finally {
			worker.stop();
		}
	}

	@Test
	void aJoinThatSomebodyHoldsDelaysNoOtherHoweverManyReportsItHas() throws SQLException {
		JoinId held = start(151);
		List<String> members = IntStream.range(0, 150).mapToObj(String::valueOf).toList();
		this.app.joins.attachAll(held, members);
		this.app.transaction
			.executeWithoutResult((status) -> members.forEach((member) -> this.app.joins.reportDone(held, member)));
		JoinId other = start(1);
		this.app.joins.attach(other, "a");
		this.app.joins.reportDone(other, "a");
		try (Connection holder = this.database.unpooledDataSource().getConnection();
				Statement statement = holder.createStatement()) {
			holder.setAutoCommit(false);
			statement.execute("select whizbang.attach_members('%s', '{new}')".formatted(held));
			this.app.worker.runUntilIdle();
			assertThat(this.app.find(other).status()).isEqualTo(JoinStatus.DONE);
			assertThat(this.app.find(held).done()).isZero();
			holder.commit();
		}
		this.app.worker.runUntilIdle();
		assertThat(this.app.find(held)).extracting(Join::attached, Join::done).containsExactly(151, 150);
	}

	@Test
	void nothingFollowsWhatIsCancelled() {
		JoinId join = this.app.joins
			.start(NewJoin.expecting(1).deadline(Duration.ofMinutes(1)).whenEnded("then").build());
		this.app.joins.attach(join, "a");
		assertThat(this.app.joins.cancel(join)).isTrue();
		assertThat(this.app.joins.cancel(join)).isFalse();
		this.app.joins.reportDone(join, "a");
		this.fixture.clock.advance(Duration.ofHours(1));
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::done, Join::late)
			.containsExactly(JoinStatus.CANCELLED, 0, 1);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isZero();
	}

	@Test
	void aKeyFindsTheSameJoin() {
		JoinId join = this.app.joins.start(NewJoin.expecting(1).key("import 7").build());
		assertThat(this.app.joins.start(NewJoin.expecting(9).key("import 7").build())).isEqualTo(join);
		assertThat(this.app.joins.findByKey("import 7").orElseThrow().expected()).isEqualTo(1);
		assertThat(this.app.joins.findByKey("import 8")).isEmpty();
		assertThat(this.app.joins.open(null, 10)).extracting(Join::id).containsExactly(join);
		assertThat(this.app.joins.open(join, 10)).isEmpty();
	}

	@Test
	void aMemberMayHaveAName() {
		JoinId join = start(1);
		this.app.joins.attach(join, "reminder");
		this.app.outbox.enqueue(OutboxMessage.to("work", 1).headers(join.headers("reminder")).build());
		this.app.run();
		assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.DONE);
	}

	@Test
	void aJoinMayBeAMemberOfAnother() {
		JoinId outer = start(1);
		JoinId inner = this.app.joins.start(NewJoin.expecting(1).whenDone("work").headers(outer.headers()).build());
		this.app.joins.attach(outer, inner.toString());
		this.app.joins.attach(inner, "a");
		this.app.joins.reportDone(inner, "a");
		this.app.work = (message) -> assertThat(message.id().value()).isEqualTo(inner.value());
		this.app.worker.runUntilIdle();
		this.fixture.jdbc.update("update whizbang.wh_messages set payload = '1'");
		this.app.run();
		assertThat(this.fixture.followedIn("then")).singleElement()
			.extracting(JoinResult::join)
			.isEqualTo(outer.toString());
	}

	@Test
	void whatBelongsToNoJoinDisturbsNobody() {
		this.app.outbox.enqueue(OutboxMessage.to("work", 1).header(HeaderNames.JOIN, "nonsense").build());
		this.app.outbox.enqueue(OutboxMessage.to("work", 1).headers(JoinId.next().headers()).build());
		this.app.outbox.enqueue(OutboxMessage.to("poison", 1).header(HeaderNames.JOIN, "nonsense").build());
		this.app.run();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isZero();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_join_reports")).isZero();
	}

	@Test
	void aFollowUpThatIsRefusedHoldsUpOnlyItsOwnJoin() {
		this.app.closedTopics = true;
		JoinId refused = this.app.joins.start(NewJoin.expecting(1).whenDone("nowhere").build());
		JoinId other = start(1);
		List.of(refused, other).forEach((join) -> {
			this.app.joins.attach(join, "a");
			this.app.joins.reportDone(join, "a");
		});
		this.app.run();
		assertThat(this.app.find(other).status()).isEqualTo(JoinStatus.DONE);
		assertThat(this.app.find(refused)).extracting(Join::status, Join::done).containsExactly(JoinStatus.OPEN, 0);
		assertThat(this.app.worker.stuck()).containsExactly(refused);
		JoinInstance next = this.fixture.instance();
		next.worker.runUntilIdle();
		assertThat(this.fixture.followedIn("nowhere")).hasSize(1);
	}

	@Test
	void purgingManyJoinsKeepsNobodyWaitingToBeCounted() {
		this.fixture.clock.set(JoinFixture.NOON);
		this.fixture.jdbc.execute(
				"""
						insert into whizbang.wh_joins (join_id, status, fail_fast, expected, headers, metadata, started_at, closed_at)
						select gen_random_uuid(), 1, false, 0, '{}', '{}', timestamptz '2000-01-01', timestamptz '2000-01-01'
						from generate_series(1, 60)""");
		assertThat(this.app.worker.purge()).as("whether there are more").isTrue();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_joins")).isEqualTo(10);
		assertThat(this.app.worker.purge()).isFalse();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_joins")).isZero();
	}

	@Test
	void closedJoinsAreKeptForAWhile() {
		this.fixture.clock.set(JoinFixture.NOON);
		JoinId old = start(1);
		this.app.joins.attach(old, "a");
		this.app.joins.reportDone(old, "a");
		this.app.run();
		JoinId open = start(1);
		this.fixture.clock.advance(Duration.ofHours(23));
		this.app.worker.purge();
		assertThat(this.app.joins.find(old)).isPresent();
		this.fixture.clock.advance(Duration.ofHours(2));
		this.app.worker.purge();
		assertThat(this.app.joins.find(old)).isEmpty();
		assertThat(this.app.joins.find(open)).isPresent();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_join_members")).isZero();
		assertThat(this.app.store.count(10)).isEqualTo(new JoinCount(1, 0));
	}

}

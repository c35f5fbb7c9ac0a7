package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.CoordinatorFixture.LEASE;
import static io.whizbang.coordinator.TestInstance.claimOf;
import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance that works on its claims in order may claim what comes after messages that
 * it holds; nobody else may, and what comes back takes along what stands behind it.
 */
@PostgresTest
class BehindOwnClaimsTests {

	private static final Outcome RETRY = new Outcome.Retry(Duration.ofSeconds(10), "no");

	private CoordinatorFixture fixture;

	private TestInstance instance;

	@BeforeEach
	void join(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join().claimingBehindOwn();
	}

	@Test
	void streamIsClaimedPieceByPieceWhileItsHolderWorksOnIt() {
		this.fixture.enqueueMany("a", 5);
		assertThat(names(this.instance.claim(2))).containsExactly("a1", "a2");
		assertThat(names(this.instance.claim(2))).containsExactly("a3", "a4");
		assertThat(names(this.instance.claim(2))).containsExactly("a5");
		assertThat(names(this.instance.claim(2))).isEmpty();
		assertThat(this.fixture.claims()).isEqualTo(3);
	}

	@Test
	void callerThatDoesNotAskForItIsKeptOutByItsOwnClaims() {
		TestInstance plain = this.fixture.join();
		this.instance.leave();
		this.fixture.enqueueMany("a", 5);
		assertThat(names(plain.claim(2))).containsExactly("a1", "a2");
		assertThat(names(plain.claim(2))).isEmpty();
	}

	@Test
	void otherInstanceIsKeptOutByEachOfTheClaims() {
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueueMany(stream, 4);
		WorkBatch first = this.instance.claim(2);
		WorkBatch second = this.instance.claim(1);
		TestInstance other = this.fixture.join().claimingBehindOwn();
		assertThat(names(other.claim())).isEmpty();
		this.instance.finish(first);
		assertThat(names(other.claim())).isEmpty();
		this.instance.finish(second);
		assertThat(names(other.claim())).containsExactly(stream + "4");
	}

	@Test
	void failureTakesBackWhatStandsBehindItInLaterClaims() {
		this.fixture.enqueue("a1", "b1", "a2", "a3", "b2");
		WorkBatch first = this.instance.claim(2);
		WorkBatch second = this.instance.claim(3);
		assertThat(names(second)).containsExactly("a2", "a3", "b2");
		WorkBatch answer = this.instance.exchange(new WorkReport(List.of(), TestInstance.outcomes(first, RETRY, "a1"),
				List.of(), List.of(claimOf(first), claimOf(second)), List.of()), 10);
		assertThat(answer.released()).hasSize(2);
		assertThat(names(answer)).isEmpty();
		assertThat(this.fixture.status("a2")).isEqualTo("parked");
		assertThat(this.fixture.status("b2")).isEqualTo("ready");
		assertThat(this.instance.finish(first, second).lost()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(11));
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "a3");
	}

	@Test
	void whoeverAsksIsToldWhatWentBackUnheard() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkBatch first = this.instance.claim(1);
		WorkBatch second = this.instance.claim(2);
		List<Claim> known = List.of(claimOf(first), claimOf(second));
		this.instance.exchange(
				new WorkReport(List.of(), TestInstance.outcomes(first, RETRY, "a1"), List.of(), known, List.of()), 0);
		List<Long> held = second.work().stream().map(Work::seq).toList();
		assertThat(held).hasSize(2);
		WorkReport asking = new WorkReport(List.of(), TestInstance.outcomes(first, RETRY, "a1"), List.of(), known,
				List.of(), held);
		assertThat(this.instance.exchange(asking, 0).released()).containsExactly(held.get(0));
		assertThat(this.fixture.attempts("a1")).isOne();
	}

	@Test
	void messageThatArrivesBehindAHeadInWorkWaitsForIt() {
		this.fixture.enqueue("a1", "a2");
		WorkBatch first = this.instance.claim(2);
		this.instance.report(first, RETRY, "a1");
		this.fixture.clock().advance(Duration.ofSeconds(11));
		WorkBatch head = this.instance.claim(1);
		assertThat(names(head)).containsExactly("a1");
		this.fixture.enqueue("a3");
		assertThat(names(this.instance.claim())).isEmpty();
		assertThat(this.fixture.status("a3")).isEqualTo("ready");
		this.instance.finish(head);
		assertThat(this.instance.drain()).containsExactly("a2", "a3");
	}

	@Test
	void dueHeadIsClaimedAlthoughItsPartitionIsNeverFree() {
		this.fixture.enqueue("a1");
		this.instance.report(this.instance.claim(), RETRY, "a1");
		this.fixture.jdbc()
			.update("insert into whizbang.wh_messages (queue, partition_hash, size, message_id, stream_id, topic, "
					+ "message_type, headers, payload) select 1, ?, 1, gen_random_uuid(), gen_random_uuid(), 't', 'T', "
					+ "'{}', 'x' || n from generate_series(1, 3) n", CoordinatorFixture.partition("a"));
		assertThat(names(this.instance.claim(1))).containsExactly("x1");
		this.fixture.clock().advance(Duration.ofSeconds(11));
		assertThat(names(this.instance.claim(1))).containsExactly("a1");
	}

	@Test
	void expiredClaimTakesLaterOnesOfItsStreamsAlong() {
		this.fixture.enqueue("a1", "b1", "a2", "c1");
		WorkBatch first = this.instance.claim(1);
		WorkBatch beside = this.instance.claim(1);
		WorkBatch behind = this.instance.claim(1);
		assertThat(names(behind)).containsExactly("a2");
		this.fixture.clock().advance(LEASE.minusSeconds(1));
		this.instance.renew(beside, behind);
		this.fixture.clock().advance(Duration.ofSeconds(2));
		this.instance.beat();
		assertThat(this.instance.finish(first, beside, behind).lost()).containsExactlyInAnyOrder(claimOf(first),
				claimOf(behind));
		assertThat(this.fixture.attempts("a1")).isOne();
		assertThat(this.fixture.attempts("a2")).isZero();
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "c1");
	}

	@Test
	void expiredClaimLeavesEarlierOnesOfItsStreamsAlone() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch first = this.instance.claim(1);
		WorkBatch behind = this.instance.claim(1);
		this.fixture.clock().advance(LEASE.minusSeconds(1));
		this.instance.renew(first);
		this.fixture.clock().advance(Duration.ofSeconds(2));
		this.instance.beat();
		assertThat(this.instance.finish(first, behind).lost()).containsExactly(claimOf(behind));
		assertThat(this.instance.drain()).containsExactly("a2", "a3");
	}

	@Test
	void claimStaysWhileOneBehindItIsBeingCompleted() throws SQLException {
		this.fixture.enqueue("a1", "a2", "a3", "b1");
		WorkBatch first = this.instance.claim(1);
		WorkBatch second = this.instance.claim(1);
		WorkBatch third = this.instance.claim(1);
		WorkBatch apart = this.instance.claim(1);
		this.fixture.clock().advance(LEASE.plusSeconds(1));
		try (Connection handler = this.fixture.database().dataSource().getConnection();
				Statement statement = handler.createStatement()) {
			handler.setAutoCommit(false);
			statement
				.execute("select from whizbang.wh_claims where claim_id = " + claimOf(third).id() + " for key share");
			this.instance.beat();
			assertThat(this.fixture.claims()).isEqualTo(3);
			handler.rollback();
		}
		this.fixture.clock().advance(Duration.ofSeconds(2));
		this.instance.beat();
		assertThat(this.fixture.claims()).isZero();
		assertThat(this.instance.finish(first, second, third, apart).lost()).hasSize(4);
	}

	@Test
	void partitionsThatAreHeldDoNotCountTwice() {
		this.instance.leave();
		CoordinatorSettings defaults = CoordinatorSettings.defaults();
		TestInstance capped = this.fixture
			.join(new CoordinatorSettings(defaults.lease(), defaults.heartbeat(), defaults.deadAfter(),
					defaults.staleAfter(), defaults.partitions(), 2, false, false))
			.claimingBehindOwn();
		this.fixture.enqueue("a1", "b1", "a2", "c1", "b2");
		assertThat(names(capped.claim(2))).containsExactly("a1", "b1");
		assertThat(names(capped.claim())).containsExactly("a2", "b2");
		assertThat(names(capped.claim())).isEmpty();
	}

	@Test
	void messageIsNeverInTwoClaims() {
		this.fixture.enqueueMany("a", 300);
		for (int i = 0; i < 40; i++) {
			if (i % 3 == 0) {
				this.instance.forget();
			}
			this.instance.claim(10);
		}
		assertThat(this.fixture.number(
				"select count(*) - count(distinct s) from whizbang.wh_claims c cross join lateral unnest(c.seqs) s"))
			.isZero();
		assertThat(this.fixture.number("select sum(cardinality(seqs)) from whizbang.wh_claims")).isEqualTo(300);
	}

}

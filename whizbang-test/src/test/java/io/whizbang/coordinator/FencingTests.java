package io.whizbang.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.CoordinatorFixture.LEASE;
import static io.whizbang.coordinator.CoordinatorFixture.STALE;
import static io.whizbang.coordinator.TestInstance.claimOf;
import static io.whizbang.coordinator.TestInstance.names;
import static io.whizbang.coordinator.TestInstance.work;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance whose claim was lost can change nothing with it.
 */
@PostgresTest
class FencingTests {

	private static final Outcome RETRY = new Outcome.Retry(Duration.ofMinutes(1), "boom");

	private static final Outcome DEAD = new Outcome.Dead("permanent", "boom");

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	FencingTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
		this.fixture.enqueue("a1", "b1");
	}

	private WorkBatch finish(TestInstance caller, Claim claim) {
		return caller.exchange(new WorkReport(List.of(claim), Map.of(), List.of(), null, List.of()), 0);
	}

	private void assertStillHeld(WorkBatch held) {
		assertThat(this.fixture.waiting()).isEqualTo(2);
		assertThat(this.fixture.attempts("a1")).isZero();
		assertThat(this.fixture.number("select cardinality(seqs) from whizbang.wh_claims where claim_id = ?",
				claimOf(held).id()))
			.isEqualTo(2);
	}

	@Test
	void wrongTokenChangesNothing() {
		WorkBatch held = this.instance.claim();
		Claim forged = new Claim(claimOf(held).id(), UUID.randomUUID());
		assertThat(finish(this.instance, forged).lost()).containsExactly(forged);
		Work a1 = work(held, "a1");
		Work other = new Work(forged, a1.seq(), 0, null, a1.envelope());
		for (Outcome outcome : List.of(Outcome.DONE, Outcome.RELEASE, RETRY, DEAD)) {
			assertThat(this.instance.exchange(WorkReport.of(Map.of(other, outcome)), 0).lost()).containsExactly(forged);
		}
		assertStillHeld(held);
	}

	@Test
	void claimOfAnotherInstanceIsNobodyElses() {
		WorkBatch held = this.instance.claim();
		TestInstance other = this.fixture.join();
		assertThat(finish(other, claimOf(held)).lost()).containsExactly(claimOf(held));
		assertThat(other.renew(held).lost()).containsExactly(claimOf(held));
		assertThat(other.report(held, RETRY, "a1").lost()).containsExactly(claimOf(held));
		assertStillHeld(held);
	}

	@Test
	void claimThatWasTakenOverIsLostWhateverIsReported() {
		WorkBatch late = this.instance.claim();
		TestInstance other = this.fixture.join();
		this.fixture.clock().advance(LEASE.plusMillis(1));
		WorkBatch taken = other.claim();
		WorkBatch rest = this.instance.claim();
		assertThat(names(taken).size() + names(rest).size()).isEqualTo(2);
		assertThat(this.instance.finish(late).lost()).containsExactly(claimOf(late));
		assertThat(this.instance.renew(late).lost()).containsExactly(claimOf(late));
		for (Outcome outcome : List.of(Outcome.DONE, Outcome.RELEASE, RETRY, DEAD)) {
			WorkBatch answer = this.instance.report(late, outcome, "a1", "b1");
			assertThat(answer.lost()).containsExactly(claimOf(late));
			assertThat(answer.released()).isEmpty();
		}
		assertThat(this.fixture.waiting()).isEqualTo(2);
		assertThat(this.fixture.deadLetters()).isEmpty();
		assertThat(this.fixture.attempts("a1")).as("one expiry").isOne();
	}

	@Test
	void lateReportOfAClaimThatNobodyTookOverCounts() {
		WorkBatch held = this.instance.claim();
		this.fixture.clock().advance(LEASE.plusSeconds(30));
		assertThat(this.instance.finish(held).lost()).isEmpty();
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void lateRenewalOfAClaimThatNobodyTookOverCounts() {
		WorkBatch held = this.instance.claim();
		TestInstance other = this.fixture.join();
		this.fixture.clock().advance(LEASE.plusSeconds(30));
		assertThat(this.instance.renew(held).lost()).isEmpty();
		assertThat(other.drain()).isEmpty();
	}

	@Test
	void removedInstanceCompletesNothing() {
		WorkBatch held = this.instance.claim();
		TestInstance other = this.fixture.join();
		this.fixture.clock().advance(STALE.plusSeconds(1));
		other.beat();
		WorkBatch answer = this.instance.finish(held);
		assertThat(answer.refused()).isTrue();
		assertThat(answer.lost()).containsExactly(claimOf(held));
		assertThat(other.drain()).containsExactly("a1", "b1");
	}

	@Test
	void instanceThatLeftCompletesNothing() {
		WorkBatch held = this.instance.claim();
		this.instance.leave();
		WorkBatch answer = this.instance.report(held, Outcome.DONE, "a1");
		assertThat(answer.refused()).isTrue();
		assertThat(answer.lost()).containsExactly(claimOf(held));
		assertThat(this.fixture.join().drain()).containsExactly("a1", "b1");
	}

	@Test
	void unknownMessagesAreIgnored() {
		WorkBatch held = this.instance.claim(1);
		Work a1 = work(held, "a1");
		for (Outcome outcome : List.of(Outcome.DONE, Outcome.RELEASE, RETRY, DEAD)) {
			Work unknown = new Work(a1.claim(), Long.MAX_VALUE, 0, null, a1.envelope());
			Work notMine = new Work(a1.claim(), a1.seq() + 1, 0, null, a1.envelope());
			WorkBatch answer = this.instance.exchange(WorkReport.of(Map.of(unknown, outcome, notMine, outcome)), 0);
			assertThat(answer.lost()).isEmpty();
			assertThat(answer.released()).isEmpty();
		}
		assertThat(this.fixture.waiting()).isEqualTo(2);
		assertThat(this.fixture.status("b1")).isEqualTo("ready");
		assertThat(this.instance.finish(held).lost()).isEmpty();
		assertThat(this.instance.drain()).containsExactly("b1");
	}

	@Test
	void resultForAMessageThatCameBackInAnotherClaimDoesNotCount() {
		WorkBatch first = this.instance.claim();
		this.instance.report(first, Outcome.RELEASE, "a1");
		WorkBatch second = this.instance.claim();
		assertThat(names(second)).containsExactly("a1");
		for (Outcome outcome : List.of(Outcome.DONE, Outcome.RELEASE, RETRY, DEAD)) {
			assertThat(this.instance.report(first, outcome, "a1").lost()).isEmpty();
		}
		assertThat(this.fixture.waiting()).isEqualTo(2);
		assertThat(this.fixture.attempts("a1")).isZero();
		assertThat(this.instance.finish(first).lost()).isEmpty();
		assertThat(this.fixture.waiting()).as("a1 is in the second claim").isOne();
		assertThat(this.instance.report(second, Outcome.DONE, "a1").lost()).isEmpty();
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void reportingTwiceIsHarmless() {
		WorkBatch held = this.instance.claim();
		assertThat(this.instance.finish(held).lost()).isEmpty();
		assertThat(this.instance.finish(held).lost()).containsExactly(claimOf(held));
		assertThat(this.instance.report(held, Outcome.DONE, "a1").lost()).containsExactly(claimOf(held));
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void lostClaimDoesNotSpoilTheRestOfAReport() {
		WorkBatch lost = this.instance.claim(1);
		this.instance.finish(lost);
		WorkBatch good = this.instance.claim(1);
		assertThat(this.instance.finish(lost, good).lost()).containsExactly(claimOf(lost));
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void newOwnerHasANewToken() {
		WorkBatch first = this.instance.claim();
		this.fixture.clock().advance(LEASE.plusMillis(1));
		WorkBatch second = this.instance.claim();
		assertThat(claimOf(second).id()).isNotEqualTo(claimOf(first).id());
		assertThat(claimOf(second).token()).isNotEqualTo(claimOf(first).token());
	}

}

package io.whizbang.worker;

import java.time.Duration;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Several claims with messages of one stream in one instance's hands: order is kept
 * whatever becomes of the first.
 */
class WorkPumpClaimsTests {

	private final PumpFixture fixture = new PumpFixture();

	private final FakeCoordinator database = this.fixture.database;

	private final RecordingHandler handler = this.fixture.handler;

	private long claimOne() {
		long seq = this.database.enqueue("a");
		this.fixture.pump.runOnce();
		return seq;
	}

	private Claim claimOf(long seq) {
		Claim claim = this.database.claimOf(seq);
		assertThat(claim).isNotNull();
		return claim;
	}

	private void finish() {
		this.database.failRead = null;
		this.fixture.pass(Duration.ofSeconds(2));
		this.fixture.pump.runUntilIdle(this.fixture.executor::run);
		assertThat(this.database.left()).isZero();
	}

	@Test
	void messagesArriveInTheOrderOfTheirClaimsWhicheverIsReadFirst() {
		this.database.readsLater = () -> true;
		long one = claimOne();
		long two = claimOne();
		this.fixture.executor.runLast();
		assertThat(this.fixture.executor.size()).isOne();
		assertThat(this.handler.started).isEmpty();
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void claimThatComesWithItsMessagesWaitsForOneThatIsStillRead() {
		this.database.readsLater = () -> this.database.left() == 1;
		long one = claimOne();
		long two = claimOne();
		assertThat(this.fixture.executor.size()).isOne();
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void claimThatCannotBeReadTakesAlongThoseBehindIt() {
		this.database.readsLater = () -> this.database.left() == 1;
		this.database.failRead = new IllegalStateException("unread");
		long one = claimOne();
		long two = claimOne();
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		finish();
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void claimThatIsMadeWhileAnEarlierOneCannotBeReadGoesBackToo() {
		this.database.readsLater = () -> this.database.left() == 1;
		this.database.failRead = new IllegalStateException("unread");
		long one = claimOne();
		this.database.duringExchange = this.fixture.executor::run;
		long two = claimOne();
		assertThat(claimOf(two)).as("made by the exchange in which the first one failed").isNotNull();
		this.database.duringExchange = () -> {
		};
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		finish();
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void claimThatIsGoneWhenItIsReadTakesAlongThoseBehindIt() {
		this.database.readsLater = () -> this.database.left() == 1;
		this.database.readsWhatWasClaimed = () -> false;
		long one = claimOne();
		long two = claimOne();
		this.database.expire(claimOf(one));
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		finish();
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void messageThatWentBackBeforeItArrivedDoesNotStart() {
		long bad = claimOne();
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(Duration.ofSeconds(1), "no"));
		this.database.readsLater = () -> true;
		long behind = claimOne();
		this.fixture.executor.runFirst();
		assertThat(this.handler.started).containsExactly(bad);
		this.fixture.pump.runOnce();
		assertThat(this.database.toldReleased).containsExactly(behind);
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(bad);
		this.handler.behaviour.clear();
		finish();
		assertThat(this.handler.started).containsExactly(bad, bad, behind);
	}

	@Test
	void streamWhoseMessageIsGivenBackStopsAlsoForLaterClaims() {
		long given = claimOne();
		long behind = claimOne();
		this.handler.behaviour.put(given, (work) -> Outcome.RELEASE);
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(given);
		this.handler.behaviour.clear();
		finish();
		assertThat(this.handler.started).containsExactly(given, given, behind);
	}

	@Test
	void failureStopsTheStreamForLaterClaims() {
		long bad = claimOne();
		long behind = claimOne();
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(Duration.ofSeconds(1), "no"));
		this.fixture.executor.run();
		this.fixture.pump.runOnce();
		this.fixture.executor.run();
		assertThat(this.database.toldReleased).containsExactly(behind);
		assertThat(this.handler.started).containsExactly(bad);
		this.handler.behaviour.clear();
		finish();
		assertThat(this.handler.started).containsExactly(bad, bad, behind);
	}

	@Test
	void failureStopsTheStreamForLaterClaimsAlsoWhenTheAnswerToItsReportIsLost() {
		long bad = claimOne();
		long behind = this.database.enqueue("a");
		long beside = this.database.enqueue("b");
		this.fixture.pump.runOnce();
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(Duration.ofSeconds(1), "no"));
		// Meanwhile: the later claim goes on, so it is not lost as a whole.
		this.handler.behaviour.put(beside, (work) -> {
			this.database.failAfter = new IllegalStateException("lost");
			assertThatIllegalStateException().isThrownBy(this.fixture.pump::runOnce);
			this.database.failAfter = null;
			this.fixture.pump.runOnce();
			return Outcome.DONE;
		});
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(bad, beside);
		this.handler.behaviour.clear();
		finish();
		assertThat(this.handler.started).containsExactly(bad, beside, bad, behind);
	}

	@Test
	void claimThatIsLateGivesBackWhatLaterOnesHaveBehindIt() {
		PumpFixture fixture = new PumpFixture((settings) -> settings.withMaxRenewals(0));
		long late = fixture.database.enqueue("a");
		fixture.pump.runOnce();
		fixture.pass(PumpFixture.LEASE.multipliedBy(7).dividedBy(10));
		long behind = fixture.database.enqueue("a");
		fixture.pump.runOnce();
		fixture.pass(PumpFixture.LEASE.dividedBy(10));
		fixture.executor.run();
		assertThat(fixture.handler.started).isEmpty();
		fixture.pump.runUntilIdle(fixture.executor::run);
		assertThat(fixture.handler.started).containsExactly(late, behind);
	}

}

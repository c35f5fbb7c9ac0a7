package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.whizbang.coordinator.WorkReport;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WorkPumpTests {

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final List<Claim> startedWith = new ArrayList<>();

	private final PumpFixture fixture = new PumpFixture();

	private final FakeCoordinator database = this.fixture.database;

	private final RecordingHandler handler = this.fixture.handler;

	@Test
	void handlesWhatIsThereAndReportsTheClaimAsFinished() {
		long one = this.database.enqueue("a");
		long two = this.database.enqueue("a");
		this.fixture.stepAndWork();
		assertThat(this.handler.started).containsExactly(one, two);
		this.fixture.pass(WorkerSettings.defaults().flushInterval());
		this.fixture.pump.step();
		WorkReport report = this.fixture.lastReport();
		assertThat(report.finished()).hasSize(1);
		assertThat(report.outcomes()).isEmpty();
		assertThat(this.database.done).containsExactlyInAnyOrder(one, two);
	}

	@Test
	void reportsAFinishedClaimAfterTheFlushIntervalNotBefore() {
		this.database.enqueue("a");
		this.fixture.stepAndWork();
		Duration wait = this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(1);
		assertThat(wait).isEqualTo(WorkerSettings.defaults().flushInterval());
		this.fixture.pass(wait);
		this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(2);
	}

	@Test
	void reportsAndClaimsInOneExchangeWhenSignalled() {
		long one = this.database.enqueue("a");
		this.fixture.stepAndWork();
		long two = this.database.enqueue("a");
		this.fixture.pump.signal();
		this.fixture.stepAndWork();
		assertThat(this.fixture.exchanges()).isEqualTo(2);
		assertThat(this.handler.started).containsExactly(one, two);
	}

	@Test
	void stopsAFailedStreamAndGoesOnWithTheOthers() {
		long bad = this.database.enqueue("a");
		long behind = this.database.enqueue("a");
		long other = this.database.enqueue("b");
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(RETRY, "no"));
		this.fixture.stepAndWork();
		assertThat(this.handler.started).containsExactlyInAnyOrder(bad, other).doesNotContain(behind);
		this.fixture.pump.runOnce();
		this.fixture.executor.run();
		assertThat(this.database.toldReleased).containsExactly(behind);
		assertThat(this.handler.started).doesNotContain(behind);
		this.handler.behaviour.clear();
		this.fixture.pass(RETRY);
		this.fixture.pump.runUntilIdle(this.fixture.executor::run);
		assertThat(this.handler.started).endsWith(bad, behind);
		assertThat(this.database.left()).isZero();
	}

	@Test
	void namesEveryOutcomeOfAClaimWithAFailedStream() {
		long bad = this.database.enqueue("a");
		this.database.enqueue("a");
		long other = this.database.enqueue("b");
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(RETRY, "no"));
		this.fixture.stepAndWork();
		this.fixture.pass(WorkerSettings.defaults().flushInterval());
		this.fixture.pump.step();
		WorkReport report = this.fixture.lastReport();
		assertThat(report.finished()).isEmpty();
		assertThat(report.outcomes().keySet().stream().map((work) -> work.seq())).containsExactlyInAnyOrder(bad, other);
		assertThat(this.fixture.pump.status(WorkerStatus.State.RUNNING, 0).claims()).isZero();
	}

	@Test
	void keepsAFailedStreamBlockedWhileItsReportDoesNotGetThrough() {
		long bad = this.database.enqueue("a");
		long behind = this.database.enqueue("a");
		this.handler.behaviour.put(bad, (work) -> new Outcome.Retry(RETRY, "no"));
		this.fixture.stepAndWork();
		this.database.failBefore = new IllegalStateException("away");
		assertThatIllegalStateException().isThrownBy(this.fixture.pump::runOnce);
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(bad);
		this.database.failBefore = null;
		this.fixture.pump.runOnce();
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(bad);
		assertThat(this.fixture.lastReport().outcomes()).hasSize(1);
		assertThat(this.database.toldReleased).containsExactly(behind);
	}

	@Test
	void goesOnBehindADeadMessage() {
		long poison = this.database.enqueue("a");
		long behind = this.database.enqueue("a");
		this.handler.behaviour.put(poison, (work) -> {
			throw new PermanentFailureException("never");
		});
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.handler.started).containsExactly(poison, behind);
		assertThat(this.database.dead.get(poison).reason()).isEqualTo(RetryPolicy.PERMANENT);
		assertThat(this.database.done).containsExactly(behind);
	}

	@Test
	void makesARetryOfAnException() {
		long bad = this.database.enqueue("a");
		this.handler.behaviour.put(bad, (work) -> {
			throw new IllegalArgumentException("not today");
		});
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.fixture.lastReport().outcomes().values()).singleElement()
			.isInstanceOfSatisfying(Outcome.Retry.class, (retry) -> assertThat(retry.error()).contains("not today"));
	}

	@Test
	void doesNotRunWhatHasFailedTooOften() {
		long crashed = this.database.enqueue("a", 10);
		long behind = this.database.enqueue("a");
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.handler.started).containsExactly(behind);
		assertThat(this.database.dead.get(crashed).reason()).isEqualTo(RetryPolicy.MAX_ATTEMPTS);
	}

	@Test
	void countsTheFirstOfAStreamAloneWhenTheHandlerThrowsForMany() {
		this.handler.key = (work) -> "together";
		long one = this.database.enqueue("a");
		long two = this.database.enqueue("a");
		this.handler.behaviour.put(two, (work) -> {
			throw new IllegalArgumentException("whole batch");
		});
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.fixture.lastReport().outcomes().keySet().stream().map((work) -> work.seq()))
			.containsExactly(one);
		assertThat(this.database.toldReleased).containsExactly(two);
	}

	@Test
	void doesNotBelieveThatMessagesBehindAFailureAreDone() {
		this.handler.key = (work) -> "together";
		long bad = this.database.enqueue("a");
		long behind = this.database.enqueue("a");
		this.handler.behaviour.put(bad, (work) -> new Outcome.Postpone(RETRY, "later"));
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.database.done).isEmpty();
		assertThat(this.database.toldReleased).containsExactly(behind);
	}

	@Test
	void countsAFailureWhenTheHandlerReturnsTooFewOutcomes() {
		this.handler.after = (outcomes) -> List.of();
		assertThatTheOnlyMessageIsTriedAgain("one for each");
	}

	@Test
	@SuppressWarnings("NullAway")
	void countsAFailureWhenTheHandlerReturnsNothingForAMessage() {
		this.handler.otherwise = (work) -> null;
		assertThatTheOnlyMessageIsTriedAgain("returned null");
	}

	private void assertThatTheOnlyMessageIsTriedAgain(String error) {
		this.database.enqueue("a");
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.fixture.lastReport().outcomes().values()).singleElement()
			.isInstanceOfSatisfying(Outcome.Retry.class, (retry) -> assertThat(retry.error()).contains(error));
	}

	@Test
	void handsOverManyStreamsWithEqualKeysTogetherUpToTheLimit() {
		this.handler.key = (work) -> "together";
		for (int i = 0; i < 25; i++) {
			this.database.enqueue("stream-" + i);
		}
		this.fixture.stepAndWork();
		assertThat(this.handler.batches).extracting(List::size).containsExactlyInAnyOrder(10, 10, 5);
	}

	@Test
	void handsOverAloneWhatHasNoKey() {
		this.database.enqueue("a");
		this.database.enqueue("a");
		this.database.enqueue(null);
		this.fixture.stepAndWork();
		assertThat(this.handler.batches).extracting(List::size).containsExactly(1, 1, 1);
	}

	@Test
	void neverStartsWhatWasLost() {
		long one = this.database.enqueue("a");
		this.database.enqueue("a");
		this.fixture.pump.runOnce();
		Claim claim = this.database.claims().get(0);
		this.handler.otherwise = (work) -> {
			if (work.claim().equals(claim)) {
				this.database.expire(claim);
				this.fixture.pass(PumpFixture.LEASE.dividedBy(2));
				this.fixture.pump.runOnce();
				assertThat(this.database.toldLost).contains(claim);
			}
			this.startedWith.add(work.claim());
			return Outcome.DONE;
		};
		this.fixture.executor.run();
		assertThat(this.startedWith).hasSize(3).startsWith(claim);
		assertThat(this.startedWith.subList(1, 3)).doesNotContain(claim);
		assertThat(this.database.done).doesNotContain(one);
		this.fixture.pump.runOnce();
		assertThat(this.database.left()).isZero();
	}

	@Test
	void reportsAgainWhenTheAnswerGotLost() {
		long one = this.database.enqueue("a");
		this.fixture.stepAndWork();
		this.database.failAfter = new IllegalStateException("answer lost");
		long two = this.database.enqueue("b");
		assertThatIllegalStateException().isThrownBy(this.fixture.pump::runOnce);
		assertThat(this.database.claims()).isNotEmpty();
		this.database.failAfter = null;
		this.fixture.pump.runOnce();
		assertThat(this.database.requests.get(this.database.requests.size() - 1).memory()).isNull();
		this.fixture.executor.run();
		this.fixture.pump.runUntilIdle(this.fixture.executor::run);
		assertThat(this.handler.started).containsExactly(one, two);
		assertThat(this.database.done).containsExactlyInAnyOrder(one, two);
	}

	@Test
	void passesOnWhatItWasToldToRemember() {
		this.fixture.pump.runOnce();
		this.fixture.pump.runOnce();
		assertThat(this.database.requests.get(0).memory()).isNull();
		assertThat(this.database.requests.get(1).memory()).isEqualTo("memory-1");
	}

	@Test
	void forgetsEverythingAndRegistersAnewWhenRefused() {
		long one = this.database.enqueue("a");
		this.fixture.pump.runOnce();
		UUID before = this.database.instances().get(0);
		this.database.forget(before);
		this.fixture.pump.runOnce();
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		this.fixture.pump.runOnce();
		this.fixture.executor.run();
		assertThat(this.database.instances()).hasSize(1).doesNotContain(before);
		assertThat(this.handler.started).containsExactly(one);
	}

	@Test
	void tellsWhichClaimsItKnows() {
		this.database.enqueue("a");
		this.fixture.pump.runOnce();
		Claim claim = this.database.claims().get(0);
		this.fixture.pump.runOnce();
		assertThat(this.fixture.lastReport().known()).containsExactly(claim);
		this.fixture.executor.run();
		this.fixture.pump.runOnce();
		assertThat(this.fixture.lastReport().known()).isEmpty();
	}

	@Test
	void claimsNoMoreThanThereIsRoomFor() {
		PumpFixture small = new PumpFixture((settings) -> settings.withBatchSize(10).withPrefetch(15));
		for (int i = 0; i < 40; i++) {
			small.database.enqueue(null);
		}
		small.pump.runOnce();
		assertThat(small.database.requests.get(0).limit()).isEqualTo(10);
		while (small.pump.step().isZero()) {
			assertThat(small.pump.status(WorkerStatus.State.RUNNING, 0).inFlight()).isLessThanOrEqualTo(15);
		}
	}

	@Test
	void claimsTheNextBatchWhileLanesWorkOnTheLast() {
		PumpFixture small = new PumpFixture((settings) -> settings.withBatchSize(10));
		for (int i = 0; i < 100; i++) {
			small.database.enqueue(null);
		}
		assertThat(small.pump.step()).isZero();
		assertThat(small.pump.step()).isZero();
		assertThat(small.handler.started).isEmpty();
		assertThat(small.exchanges()).isEqualTo(2);
	}

	@Test
	void reportsPartOfAClaimWhenTheRestTakesLong() {
		PumpFixture one = new PumpFixture();
		long slow = one.database.enqueue("slow");
		long quick = one.database.enqueue("quick");
		long behind = one.database.enqueue("slow");
		one.handler.behaviour.put(slow, (work) -> {
			one.executor.run();
			one.pass(WorkerSettings.defaults().partialFlush());
			one.pump.step();
			return Outcome.DONE;
		});
		one.stepAndWork();
		assertThat(one.database.done).containsExactly(quick);
		assertThat(one.lastReport().finished()).isEmpty();
		one.pump.runUntilIdle(one.executor::run);
		assertThat(one.database.done).containsExactlyInAnyOrder(slow, quick, behind);
	}

}

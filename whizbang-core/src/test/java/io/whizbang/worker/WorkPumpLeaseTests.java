package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WorkPumpLeaseTests {

	private static final Duration HALF = PumpFixture.LEASE.dividedBy(2);

	private static final Duration MOST = PumpFixture.LEASE.dividedBy(10).multipliedBy(8);

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final PumpFixture fixture = new PumpFixture();

	private final FakeCoordinator database = this.fixture.database;

	private final RecordingHandler handler = this.fixture.handler;

	private final List<ExecutorService> pools = new ArrayList<>();

	@AfterEach
	void shutDown() {
		this.pools.forEach(ExecutorService::shutdownNow);
	}

	@Test
	void startsNothingPastFourFifthsOfTheLease() {
		this.database.enqueue("a");
		this.database.enqueue("a");
		this.fixture.pump.runOnce();
		Claim claim = this.database.claims().get(0);
		this.database.failBefore = new IllegalStateException("away");
		this.fixture.pass(MOST);
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		this.database.failBefore = null;
		this.fixture.pump.step();
		assertThat(this.fixture.lastReport().finished()).containsExactly(claim);
		assertThat(this.fixture.lastReport().outcomes().values()).containsExactly(Outcome.RELEASE, Outcome.RELEASE);
	}

	@Test
	void givesBackWhatNoHandlerHadTimeFor() {
		PumpFixture full = new PumpFixture((settings) -> settings.withMaxRenewals(0));
		full.database.enqueue("a");
		full.pump.runOnce();
		Claim claim = full.database.claims().get(0);
		full.pass(MOST);
		full.pump.step();
		assertThat(full.lastReport().finished()).containsExactly(claim);
		assertThat(full.lastReport().outcomes().values()).containsExactly(Outcome.RELEASE);
	}

	@Test
	void startsNothingOfAClaimWhoseLeasePassedWhileTheDatabaseWasAway() {
		long one = this.database.enqueue("a");
		this.fixture.pump.runOnce();
		Claim claim = this.database.claims().get(0);
		this.database.failBefore = new IllegalStateException("away");
		this.fixture.pass(PumpFixture.LEASE);
		assertThatIllegalStateException().isThrownBy(this.fixture.pump::step);
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
		this.database.failBefore = null;
		this.fixture.pump.step();
		assertThat(this.database.toldLost).containsExactly(claim);
		this.fixture.executor.run();
		assertThat(this.handler.started).containsExactly(one);
	}

	@Test
	void renewsAtHalfOfTheLeaseWhileWorkIsInProgress() {
		long slow = this.database.enqueue("a");
		this.handler.behaviour.put(slow, (work) -> {
			this.fixture.pass(HALF.minusNanos(1));
			this.fixture.pump.step();
			assertThat(this.fixture.lastReport().renewed()).isEmpty();
			this.fixture.pass(Duration.ofNanos(1));
			this.fixture.pump.step();
			assertThat(this.fixture.lastReport().renewed()).containsExactly(work.claim());
			return Outcome.DONE;
		});
		this.fixture.stepAndWork();
		assertThat(this.handler.started).containsExactly(slow);
	}

	@Test
	void countsTheRenewedLeaseFromBeforeTheExchange() {
		this.database.enqueue("a");
		this.fixture.pump.runOnce();
		this.fixture.pass(HALF);
		this.database.duringExchange = () -> this.fixture.pass(Duration.ofSeconds(1));
		this.fixture.pump.step();
		assertThat(this.fixture.lastReport().renewed()).hasSize(1);
		this.database.duringExchange = () -> {
		};
		this.fixture.pass(MOST.minusSeconds(1));
		this.fixture.executor.run();
		assertThat(this.handler.started).isEmpty();
	}

	@Test
	void renewsOnlySoOften() {
		PumpFixture capped = new PumpFixture((settings) -> settings.withMaxRenewals(2));
		capped.database.enqueue("a");
		capped.pump.step();
		for (int i = 0; i < 10; i++) {
			capped.pass(HALF);
			capped.pump.step();
		}
		Map<Claim, Long> renewals = capped.database.reports.stream()
			.flatMap((report) -> report.renewed().stream())
			.collect(Collectors.groupingBy((claim) -> claim, Collectors.counting()));
		assertThat(renewals.values()).isNotEmpty().containsOnly(2L);
	}

	@Test
	void interruptsAHandlerThatTakesTooLongAndCountsAFailure() throws Exception {
		Interruptible one = new Interruptible((work) -> {
			throw new IllegalStateException("interrupted");
		});
		one.run();
		one.pump.runUntilIdle();
		Outcome.Retry retry = (Outcome.Retry) one.reported();
		assertThat(retry.error()).contains("timed out after PT1M").contains("interrupted");
	}

	@Test
	void takesWorkAsDoneThatEndsWellInSpiteOfItsInterrupt() throws Exception {
		Interruptible one = new Interruptible((work) -> Outcome.DONE);
		one.run();
		one.pump.runUntilIdle();
		assertThat(this.database.done).hasSize(1);
	}

	@Test
	void leavesTheThreadOfAnInterruptedHandlerClean() throws Exception {
		List<Boolean> interrupted = new ArrayList<>();
		Interruptible one = new Interruptible((work) -> {
			Thread.currentThread().interrupt();
			return Outcome.DONE;
		});
		one.handler.otherwise = (work) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			return Outcome.DONE;
		};
		this.database.enqueue("b");
		one.run();
		one.pump.runUntilIdle();
		assertThat(interrupted).containsExactly(false);
	}

	@Test
	void stopsRenewingForAHandlerThatIgnoresItsInterrupt() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		RecordingHandler stuck = new RecordingHandler();
		long bad = this.database.enqueue("bad");
		this.database.enqueue("bad");
		long good = this.database.enqueue("good");
		stuck.behaviour.put(bad, (work) -> {
			inside.countDown();
			awaitUninterruptibly(end);
			return Outcome.DONE;
		});
		WorkPump pump = pump(stuck, 2);
		pump.runOnce();
		assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
		awaitStarted(stuck, 2);
		this.fixture.pass(TIMEOUT);
		pump.step();
		assertThat(this.database.done).as("the rest of the claim is reported").containsExactly(good);
		int before = this.fixture.exchanges();
		for (int i = 0; i < 9; i++) {
			this.fixture.pass(PumpFixture.LEASE.dividedBy(10));
			pump.step();
		}
		assertThat(this.database.reports.subList(before, this.database.reports.size()))
			.allSatisfy((report) -> assertThat(report.renewed()).isEmpty());
		long fresh = this.database.enqueue("fresh");
		pump.signal();
		pump.step();
		awaitStarted(stuck, 3);
		assertThat(stuck.started).contains(fresh);
		end.countDown();
	}

	private WorkPump pump(RecordingHandler handler, int concurrency) {
		ExecutorService pool = Executors.newFixedThreadPool(concurrency + 1);
		this.pools.add(pool);
		WorkerSettings settings = WorkerSettings.defaults().withConcurrency(concurrency).withHandlerTimeout(TIMEOUT);
		return PumpFixture.pump(this.database, handler, settings, pool, () -> true, this.fixture.clock);
	}

	private static void awaitStarted(RecordingHandler handler, int count) {
		long start = System.nanoTime();
		while (handler.started.size() < count && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10)) {
			Thread.onSpinWait();
		}
		assertThat(handler.started).hasSize(count);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean over = false;
		while (!over) {
			try {
				latch.await();
				over = true;
			}
			catch (InterruptedException ex) {
				// That is the point.
			}
		}
	}

	/** One handler, on one thread, that waits until it is interrupted. */
	private final class Interruptible {

		final RecordingHandler handler = new RecordingHandler();

		final WorkPump pump = pump(this.handler, 1);

		private final CountDownLatch inside = new CountDownLatch(1);

		private final long seq;

		Interruptible(Function<Work, Outcome> end) {
			this.seq = WorkPumpLeaseTests.this.database.enqueue("a");
			this.handler.behaviour.put(this.seq, (work) -> {
				this.inside.countDown();
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					this.handler.behaviour.remove(this.seq);
				}
				return end.apply(work);
			});
		}

		void run() throws InterruptedException {
			this.pump.runOnce();
			assertThat(this.inside.await(10, TimeUnit.SECONDS)).isTrue();
			WorkPumpLeaseTests.this.fixture.pass(TIMEOUT);
			this.pump.step();
		}

		Outcome reported() {
			return WorkPumpLeaseTests.this.database.reports.stream()
				.flatMap((report) -> report.outcomes().values().stream())
				.findFirst()
				.orElseThrow();
		}

	}

}

package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkLoopTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private final Waker waker = new Waker();

	private final AtomicInteger rounds = new AtomicInteger();

	private Runner runner = Runner.start("test", new WorkLoop("test", () -> LONG, new Waker()));

	@AfterEach
	void stop() {
		this.runner.stop();
		assertThat(this.runner.join(Duration.ofSeconds(10))).isTrue();
	}

	@Test
	void keepsRunningAfterAStepFails() throws Exception {
		CountDownLatch second = new CountDownLatch(1);
		run(() -> {
			if (this.rounds.incrementAndGet() == 1) {
				throw new IllegalStateException("expected by the test");
			}
			second.countDown();
			return LONG;
		});
		assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void keepsRunningAfterAnError() throws Exception {
		CountDownLatch second = new CountDownLatch(1);
		run(() -> {
			if (this.rounds.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("expected by the test");
			}
			second.countDown();
			return LONG;
		});
		assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void runsAgainAtOnceWhileThereIsMore() throws Exception {
		CountDownLatch many = new CountDownLatch(100);
		run(() -> {
			many.countDown();
			return (many.getCount() > 0) ? Duration.ZERO : LONG;
		});
		assertThat(many.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void wakeCutsTheWaitShort() throws Exception {
		CountDownLatch two = new CountDownLatch(2);
		CountDownLatch one = new CountDownLatch(1);
		run(() -> {
			one.countDown();
			two.countDown();
			return LONG;
		});
		one.await(10, TimeUnit.SECONDS);
		this.waker.wake();
		assertThat(two.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void doesNotHammerWhenWokenWhileItBacksOff() throws Exception {
		CountDownLatch failed = new CountDownLatch(1);
		run(() -> {
			this.rounds.incrementAndGet();
			failed.countDown();
			throw new IllegalStateException("expected by the test");
		});
		failed.await(10, TimeUnit.SECONDS);
		long start = System.nanoTime();
		for (int i = 0; i < 1000; i++) {
			this.waker.wake();
		}
		int seen = this.rounds.get();
		long pauses = (System.nanoTime() - start) / Duration.ofMillis(250).toNanos();
		assertThat((long) seen).as("rounds, with room for %d pauses", pauses).isLessThan(3 + pauses);
	}

	@Test
	void countsFailuresInARow() throws Exception {
		CountDownLatch healed = new CountDownLatch(3);
		run(() -> {
			healed.countDown();
			if (healed.getCount() > 0) {
				throw new IllegalStateException("expected by the test");
			}
			return Duration.ZERO;
		});
		healed.await(10, TimeUnit.SECONDS);
		this.runner.stop();
		this.runner.join(Duration.ofSeconds(10));
		assertThat(this.runner.failures()).isZero();
	}

	@Test
	void backsOffFromAQuarterSecondToHalfAMinute() {
		Backoff backoff = new Backoff();
		assertThat(backoff.failed()).isEqualTo(Duration.ofMillis(250));
		assertThat(backoff.failed()).isEqualTo(Duration.ofMillis(500));
		for (int i = 0; i < 100; i++) {
			backoff.failed();
		}
		assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(30));
		assertThat(backoff.succeeded()).isEqualTo(103);
		assertThat(backoff.failed()).isEqualTo(Duration.ofMillis(250));
	}

	private void run(WorkLoop.Step step) {
		this.runner.stop();
		this.runner = Runner.start("test", new WorkLoop("Loop of the test", step, this.waker));
	}

}

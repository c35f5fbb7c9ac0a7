package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChoreTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private final BlockingQueue<Thread> rounds = new LinkedBlockingQueue<>();

	private volatile Supplier<Duration> waits = () -> LONG;

	private final Chore chore = new Chore("Chore of the test", () -> {
		this.rounds.add(Thread.currentThread());
		return this.waits.get();
	});

	@AfterEach
	void stop() {
		this.chore.stop();
	}

	@Test
	void runsAtOnceOnAThreadThatKeepsNoApplicationAlive() throws Exception {
		assertThat(this.chore.isRunning()).isFalse();
		this.chore.start();
		assertThat(this.chore.isRunning()).isTrue();
		assertThat(round()).isNotSameAs(Thread.currentThread()).matches(Thread::isDaemon);
	}

	@Test
	void waitsAsLongAsItsRoundSays() throws Exception {
		AtomicInteger left = new AtomicInteger(3);
		this.waits = () -> (left.decrementAndGet() > 0) ? Duration.ofMillis(1) : LONG;
		this.chore.start();
		for (int i = 0; i < 3; i++) {
			round();
		}
		this.chore.stop();
		assertThat(this.rounds).isEmpty();
	}

	@Test
	void goesOnAfterAFailure() throws Exception {
		this.waits = () -> {
			this.waits = () -> LONG;
			throw new IllegalStateException("expected by the test");
		};
		this.chore.start();
		assertThat(round()).isSameAs(round());
	}

	@Test
	void stopCutsTheWaitShortAndEndsTheThread() throws Exception {
		this.chore.start();
		Thread thread = round();
		this.chore.stop();
		assertThat(thread.isAlive()).isFalse();
		assertThat(this.chore.isRunning()).isFalse();
	}

	@Test
	void startsOnceHoweverOftenItIsToldTo() throws Exception {
		this.chore.start();
		Thread first = round();
		this.chore.start();
		this.chore.stop();
		assertThat(first.isAlive()).isFalse();
		assertThat(this.rounds).isEmpty();
	}

	@Test
	void startsAgainAfterAStop() throws Exception {
		this.chore.start();
		Thread first = round();
		this.chore.stop();
		this.chore.start();
		assertThat(round()).isNotSameAs(first);
	}

	@Test
	void endsTogetherWithTheWorkers() {
		assertThat(this.chore.getPhase()).isEqualTo(WorkerLifecycle.PHASE);
		assertThat(this.chore.isAutoStartup()).isTrue();
	}

	private Thread round() throws InterruptedException {
		Thread thread = this.rounds.poll(10, TimeUnit.SECONDS);
		assertThat(thread).as("thread of a round").isNotNull();
		return thread;
	}

}

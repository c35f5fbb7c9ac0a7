package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WakerTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private final Waker waker = new Waker();

	@Test
	void keepsAWakeThatComesBeforeTheWait() {
		this.waker.wake();
		assertThat(this.waker.await(LONG)).isTrue();
	}

	@Test
	void keepsOneWakeOnly() {
		this.waker.wake();
		this.waker.wake();
		this.waker.await(LONG);
		assertThat(this.waker.await(Duration.ofMillis(1))).isFalse();
	}

	@Test
	void wakeCutsTheWaitShort() throws Exception {
		CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> this.waker.await(LONG));
		this.waker.wake();
		assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void waitsOnAfterAnInterrupt() {
		Thread.currentThread().interrupt();
		assertThat(this.waker.await(Duration.ofMillis(1))).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

}

package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time that passes only when told.
 */
final class ManualClock implements LongSupplier {

	// Close to the overflow, where wrong comparisons show.
	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(30).toNanos());

	@Override
	public long getAsLong() {
		return this.now.get();
	}

	void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}

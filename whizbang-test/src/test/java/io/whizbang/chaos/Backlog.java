package io.whizbang.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Lets producers wait while too much waits to be delivered.
 */
final class Backlog {

	private final AtomicLong committed = new AtomicLong();

	private final Deliveries deliveries;

	private final int limit;

	Backlog(Deliveries deliveries, int limit) {
		this.deliveries = deliveries;
		this.limit = limit;
	}

	void committed(int count) {
		this.committed.addAndGet(count);
	}

	long committed() {
		return this.committed.get();
	}

	void await(BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean() && this.committed.get() - this.deliveries.distinct() > this.limit) {
			try {
				TimeUnit.MILLISECONDS.sleep(5);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

}

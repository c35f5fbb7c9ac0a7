package io.whizbang.inbox;

import java.time.Duration;

/**
 * How many messages share a transaction: as many as take a few hundredths of a second, so
 * that slow receptors run beside each other instead of one after the other, and quick
 * ones share the cost of a commit.
 */
final class BatchSize {

	/**
	 * PostgreSQL keeps 64 subtransactions of a session at hand, one for each savepoint;
	 * with more, every snapshot of every session gets slower.
	 */
	private static final int MAX = 50;

	private static final long GOOD = Duration.ofMillis(40).toNanos();

	private volatile int size = 4;

	int get() {
		return this.size;
	}

	/**
	 * Learns from a batch.
	 * @param count how many messages it had
	 * @param calls how many receptors that were
	 * @param nanos how long it took
	 */
	void took(int count, int calls, long nanos) {
		long wanted = Math.min(GOOD * count / Math.max(1, nanos), (long) MAX * count / calls);
		// Growing by and by, because one quick batch may be one that failed early.
		this.size = (int) Math.max(1, Math.min(wanted, 2L * this.size));
	}

}

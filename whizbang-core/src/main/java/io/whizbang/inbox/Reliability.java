package io.whizbang.inbox;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a receptor has succeeded so often in a row that it pays to expect nothing else.
 */
final class Reliability {

	/**
	 * A surprise repeats a whole batch, with savepoints. A receptor that fails as soon as
	 * it is trusted must not get noticeably slower by that.
	 */
	private static final int ENOUGH = 500;

	private final AtomicInteger successes = new AtomicInteger();

	boolean isProven() {
		return this.successes.get() >= ENOUGH;
	}

	void ended(boolean succeeded) {
		if (!succeeded) {
			this.successes.set(0);
		}
		else if (!isProven()) {
			this.successes.incrementAndGet();
		}
	}

}

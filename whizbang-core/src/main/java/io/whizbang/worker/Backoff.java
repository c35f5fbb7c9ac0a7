package io.whizbang.worker;

import java.time.Duration;

/**
 * Pauses that double from failure to failure, from 250 ms to 30 s.
 */
public final class Backoff {

	private static final Duration FIRST = Duration.ofMillis(250);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private volatile int failures;

	/**
	 * Counts a failure.
	 * @return how long to pause after it
	 */
	public Duration failed() {
		int streak = this.failures + 1;
		this.failures = streak;
		Duration pause = FIRST.multipliedBy(1L << Math.min(streak - 1, 10));
		return (pause.compareTo(LONGEST) < 0) ? pause : LONGEST;
	}

	/**
	 * Ends the streak of failures.
	 * @return how many there were
	 */
	public int succeeded() {
		int streak = this.failures;
		if (streak > 0) {
			this.failures = 0;
		}
		return streak;
	}

	public int failures() {
		return this.failures;
	}

}

package io.whizbang.lease;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a lease surely lasts, and when it is to be renewed. Its time is counted from
 * before the database was asked, and is a little less than that because clocks differ in
 * speed. To be used under a lock.
 */
final class LeaseTime {

	/** Part of the duration by which the clocks may go apart. */
	private static final int MARGIN = 100;

	/** Part of the duration by which a renewal may be earlier, to go with others. */
	private static final int SLACK = 20;

	private static final long SHORTEST_PAUSE = Duration.ofMillis(20).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

	private final long duration;

	private final LeaseSettings settings;

	private long deadline;

	private long renewal;

	/**
	 * Begins to count.
	 * @param duration how long a lease lasts
	 * @param settings how it is kept
	 * @param asked when the database was asked for it
	 */
	LeaseTime(Duration duration, LeaseSettings settings, long asked) {
		this.duration = duration.toNanos();
		this.settings = settings;
		this.deadline = deadline(asked);
		this.renewal = renewal(asked);
	}

	private long deadline(long asked) {
		return asked + this.duration - Math.max(this.duration / MARGIN, 1_000_000);
	}

	private long renewal(long asked) {
		double jitter = 1 - this.settings.renewJitter() * ThreadLocalRandom.current().nextDouble();
		return asked + (long) (this.duration * this.settings.renewAt() * jitter);
	}

	long left(long now) {
		return this.deadline - now;
	}

	long renewal() {
		return this.renewal;
	}

	/**
	 * Takes note of a renewal.
	 * @param asked when the database was asked for it
	 */
	void renewed(long asked) {
		// Two renewals may be under way, and the earlier one's answer come last.
		if (deadline(asked) - this.deadline >= 0) {
			this.deadline = deadline(asked);
			this.renewal = renewal(asked);
		}
	}

	/**
	 * Puts the renewal off after a failure.
	 * @param now the time
	 */
	void postpone(long now) {
		long pause = Math.min(Math.max(this.duration / SLACK, SHORTEST_PAUSE), LONGEST_PAUSE);
		this.renewal = now + (long) (pause * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
	}

	/** Whether a renewal is due, or so soon that it may go with others. */
	boolean isDue(long now) {
		return this.renewal - now <= this.duration / SLACK;
	}

}

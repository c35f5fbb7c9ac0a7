package io.whizbang.fanout;

import java.time.Duration;

/**
 * What is to be done now and then. Used by one thread.
 */
final class FanoutChores {

	private static final Duration SEEN = Duration.ofMinutes(1);

	private static final Duration PURGE = Duration.ofHours(1);

	private static final int PURGED = 500;

	private final FanoutParts parts;

	private long seenAt = System.nanoTime();

	private long purgedAt = System.nanoTime();

	FanoutChores(FanoutParts parts) {
		this.parts = parts;
	}

	void run() {
		long now = System.nanoTime();
		if (now - this.seenAt >= SEEN.toNanos()) {
			this.seenAt = now;
			this.parts.store().see(this.parts.planners().topics());
		}
		if (now - this.purgedAt >= PURGE.toNanos()) {
			this.purgedAt = now;
			purge();
		}
	}

	/** Removes cursors of shards that are gone. */
	void purge() {
		int last;
		do {
			last = this.parts.store().purge(this.parts.settings().keepCursors(), PURGED);
		}
		while (last == PURGED);
	}

}

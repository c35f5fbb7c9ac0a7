package io.whizbang.perspective;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often in a row the database was not ready.
 */
final class Readiness {

	private static final Logger logger = LoggerFactory.getLogger(Readiness.class);

	private static final int MANY = 10;

	private final DatabaseReadiness check;

	private final PerspectiveListener listener;

	private volatile int misses;

	private volatile @Nullable Long readyAt;

	Readiness(DatabaseReadiness check, PerspectiveListener listener) {
		this.check = check;
		this.listener = listener;
	}

	boolean isReady() {
		boolean ready = ask();
		this.readyAt = ready ? System.nanoTime() : null;
		if (ready) {
			if (this.misses > 0) {
				logger.info("The database is ready again after {} checks; perspectives go on", this.misses);
			}
			this.misses = 0;
			return true;
		}
		int count = this.misses + 1;
		this.misses = count;
		if (count % MANY == 0) {
			logger.warn("The database was not ready for {} checks in a row; perspectives wait for it", count);
		}
		else {
			logger.info("The database is not ready; perspectives wait for it");
		}
		Listeners.tell(() -> this.listener.notReady(count));
		return false;
	}

	/** Whether it was ready when it was asked last, no longer ago than that. */
	boolean wasReadyWithin(Duration age) {
		Long at = this.readyAt;
		return at != null && System.nanoTime() - at < age.toNanos();
	}

	private boolean ask() {
		try {
			return this.check.isReady();
		}
		catch (RuntimeException ex) {
			logger.debug("The check of the database failed", ex);
			return false;
		}
	}

	int misses() {
		return this.misses;
	}

}

package io.whizbang.worker;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step until stopped. It knows when, never what; nothing that the step throws ends
 * it.
 */
public final class WorkLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(WorkLoop.class);

	private final String name;

	private final Step step;

	private final Waker waker;

	private final Backoff backoff = new Backoff();

	private volatile boolean stopping;

	public WorkLoop(String name, Step step, Waker waker) {
		this.name = name;
		this.step = step;
		this.waker = waker;
	}

	@Override
	public void run() {
		while (!this.stopping) {
			Duration wait = runSafely();
			if (!wait.isZero() && !this.stopping) {
				this.waker.await(wait);
			}
		}
	}

	public void stop() {
		this.stopping = true;
		this.waker.wake();
	}

	public int failures() {
		return this.backoff.failures();
	}

	private Duration runSafely() {
		try {
			Duration wait = this.step.run();
			int failures = this.backoff.succeeded();
			if (failures > 0) {
				logger.info("{} goes on after {} failed rounds", this.name, failures);
			}
			return wait;
		}
		catch (Throwable ex) {
			pause(failed(ex));
			return Duration.ZERO;
		}
	}

	private Duration failed(Throwable failure) {
		Duration pause = this.backoff.failed();
		if (!TransientErrors.isTransient(failure)) {
			logger.error("{} failed; next try in {}", this.name, pause, failure);
		}
		else if (this.backoff.failures() == 1) {
			logger.warn("{} failed and tries again by itself, first in {}; further failures in a row are not logged",
					this.name, pause, failure);
		}
		return pause;
	}

	/**
	 * Unlike a wait this is not cut short by new work, or a busy application would hammer
	 * a sick database.
	 */
	private void pause(Duration pause) {
		long start = System.nanoTime();
		Duration left = pause;
		while (!this.stopping && left.compareTo(Duration.ZERO) > 0) {
			this.waker.await(left);
			left = pause.minusNanos(System.nanoTime() - start);
		}
		this.waker.wake();
	}

	/** One round of work. */
	@FunctionalInterface
	public interface Step {

		/**
		 * Does one round.
		 * @return how long to wait before the next one, unless woken
		 */
		Duration run();

	}

}

package io.whizbang.join;

import java.time.Duration;
import java.util.Set;

import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Counts what members report, on a thread of its own. It works when somebody has reported
 * here, when a deadline comes, and now and then.
 */
public final class JoinWorker {

	/** Name of joins in health and metrics. */
	public static final String LABEL = "joins";

	private static final Logger logger = LoggerFactory.getLogger(JoinWorker.class);

	private static final String NAME = "Whizbang's joins";

	/** Somebody else is at it, and will be done in a moment. */
	private static final Duration MOMENT = Duration.ofMillis(20);

	/** Somebody else has had a join in its transaction for long. */
	private static final Duration WHILE = Duration.ofSeconds(1);

	private static final Duration PURGE = Duration.ofHours(1);

	private static final Duration STOP = Duration.ofSeconds(5);

	private static final int PURGED = 1000;

	/** So many joins go between two counts. */
	private static final int PURGED_AT_ONCE = 50;

	private final JoinParts parts;

	private final JoinFolds folds;

	private final Waker waker = new Waker();

	private Duration heldBack = MOMENT;

	private long purgedAt = System.nanoTime();

	private volatile @Nullable Runner runner;

	/**
	 * Creates a worker.
	 * @param parts what joins are made of
	 * @param signal wakes it
	 */
	public JoinWorker(JoinParts parts, JoinSignal signal) {
		this.parts = parts;
		this.folds = new JoinFolds(parts);
		signal.wakes(this.waker::wake);
	}

	/**
	 * Returns how often in a row rounds have failed.
	 * @return the number, 0 when all is well
	 */
	public int consecutiveFailures() {
		Runner current = this.runner;
		return (current != null) ? current.failures() : 0;
	}

	/**
	 * Returns joins that stay open because the outbox refuses what follows.
	 * @return the joins
	 */
	public Set<JoinId> stuck() {
		return this.folds.setAside();
	}

	/**
	 * Says whether it works.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.runner != null;
	}

	/** Begins to work. */
	public void start() {
		if (this.runner == null) {
			this.runner = Runner.start("whizbang-joins", new WorkLoop(NAME, this::step, this.waker));
			logger.info("{} started with {}", NAME, this.parts.settings());
		}
	}

	/** Ends; what is not counted is left to other instances, or to the next start. */
	public void stop() {
		Runner current = this.runner;
		if (current != null) {
			current.stop();
			current.join(STOP);
			this.runner = null;
			logger.info("{} stopped", NAME);
		}
	}

	private Duration step() {
		try {
			boolean more = purgeWhenDue();
			Duration pause = pause(this.folds.fold());
			return more ? Duration.ZERO : pause;
		}
		catch (RuntimeException ex) {
			this.parts.listener().roundFailed(ex);
			throw ex;
		}
	}

	private Duration pause(Fold fold) {
		if (fold.more() && (fold.counted() > 0 || !fold.closed().isEmpty())) {
			return Duration.ZERO;
		}
		if (fold.heldBack()) {
			Duration pause = this.heldBack;
			this.heldBack = (fold.counted() > 0) ? MOMENT : shorter(pause.multipliedBy(2), WHILE);
			return pause;
		}
		this.heldBack = MOMENT;
		Duration poll = this.parts.settings().poll();
		Duration next = fold.next();
		return (next != null) ? shorter(next, poll) : poll;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private boolean purgeWhenDue() {
		long now = System.nanoTime();
		if (now - this.purgedAt < PURGE.toNanos()) {
			return false;
		}
		this.purgedAt = now;
		boolean more = purge();
		if (more) {
			this.purgedAt = now - PURGE.toNanos();
		}
		return more;
	}

	/**
	 * Removes joins that were closed long ago, but not so many that others would wait to
	 * be counted.
	 * @return whether there may be more
	 */
	boolean purge() {
		int last = 1;
		for (int i = 0; i < PURGED_AT_ONCE && last > 0; i++) {
			last = this.parts.store().purge(this.parts.settings().keep(), PURGED);
		}
		return last > 0;
	}

	/**
	 * Counts all that was reported, on the thread of the caller, instead of starting; for
	 * tests.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		boolean any = false;
		Fold fold;
		do {
			fold = this.folds.fold();
			any |= fold.counted() > 0 || !fold.closed().isEmpty();
		}
		while (fold.counted() > 0 || !fold.closed().isEmpty());
		return any;
	}

}

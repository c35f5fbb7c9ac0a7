package io.whizbang.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the runs that are under way here. One thread renews their leases, all in one
 * statement; another one, which never waits for the database, interrupts those whose
 * lease is surely over.
 */
final class RunLeases {

	private static final Logger logger = LoggerFactory.getLogger(RunLeases.class);

	private static final Duration IDLE = Duration.ofHours(1);

	private final JdbcJobStore store;

	private final Duration lease;

	private final Map<Long, HeldRun> held = new ConcurrentHashMap<>();

	private final Waker renewWaker = new Waker();

	private final Waker watchWaker = new Waker();

	private volatile @Nullable Runner renewer;

	private volatile @Nullable Runner watcher;

	RunLeases(JdbcJobStore store, Duration lease) {
		this.store = store;
		this.lease = lease;
	}

	int count() {
		return this.held.size();
	}

	Collection<HeldRun> all() {
		return List.copyOf(this.held.values());
	}

	/** Keeps a run that was claimed by a statement that began then. */
	HeldRun add(ClaimedRun claimed, long claimedAt) {
		HeldRun run = new HeldRun(claimed, claimedAt + this.lease.toNanos());
		this.held.put(claimed.run().id(), run);
		this.renewWaker.wake();
		this.watchWaker.wake();
		return run;
	}

	void remove(HeldRun run) {
		this.held.remove(run.run().id(), run);
	}

	void start() {
		this.renewer = Runner.start("whizbang-job-leases",
				new WorkLoop("Renewal of job runs", this::renew, this.renewWaker));
		this.watcher = Runner.start("whizbang-job-watch",
				new WorkLoop("Watch over job runs", this::watch, this.watchWaker));
	}

	void stop() {
		for (Runner runner : new @Nullable Runner[] { this.renewer, this.watcher }) {
			if (runner != null) {
				runner.stop();
				runner.join(Duration.ofSeconds(1));
			}
		}
		this.renewer = null;
		this.watcher = null;
	}

	int failures() {
		Runner running = this.renewer;
		return (running != null) ? running.failures() : 0;
	}

	private Duration renew() {
		List<HeldRun> runs = new ArrayList<>(this.held.values());
		runs.removeIf(HeldRun::isGone);
		if (runs.isEmpty()) {
			return IDLE;
		}
		long start = System.nanoTime();
		// Two thirds of the lease are for failures.
		long spare = this.lease.toNanos() * 2 / 3;
		long wait = runs.stream().mapToLong((run) -> run.left(start) - spare).min().orElse(0);
		if (wait > 0) {
			return Duration.ofNanos(wait);
		}
		Set<Long> kept = new HashSet<>(this.store.renew(runs.stream().map(HeldRun::run).toList(), this.lease));
		for (HeldRun run : runs) {
			if (kept.contains(run.run().id())) {
				run.renewed(start + this.lease.toNanos());
			}
			else if (this.held.get(run.run().id()) == run) {
				run.gone();
			}
		}
		this.watchWaker.wake();
		return Duration.ofMillis(1);
	}

	private Duration watch() {
		long now = System.nanoTime();
		long next = IDLE.toNanos();
		for (HeldRun run : this.held.values()) {
			long left = run.left(now);
			if (left > 0) {
				next = Math.min(next, left);
			}
			else if (run.interrupt()) {
				logger.warn("Run {} of the job \"{}\" is interrupted: its lease could not be renewed in time",
						run.run().id(), run.run().job());
			}
		}
		return Duration.ofNanos(next);
	}

}

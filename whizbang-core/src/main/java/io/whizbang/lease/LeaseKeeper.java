package io.whizbang.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of this instance: one thread renews them, all that are due in one
 * statement, and another one watches their time, because the first may hang in a call.
 */
final class LeaseKeeper {

	private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

	private static final int BATCH = 500;

	private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(250);

	private final JdbcLeaseTable table;

	private final LeaseListener listener;

	private final LongSupplier nanoTime;

	private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();

	private final LeaseWaiters waiters = new LeaseWaiters();

	private final LeaseNews news;

	private final AbandonedLeases abandoned;

	private final LeaseThread renewer = new LeaseThread("whizbang-lease-renewer", this::renewDue);

	private final LeaseThread watcher = new LeaseThread("whizbang-lease-watcher", this::watch);

	private final AtomicInteger failures = new AtomicInteger();

	LeaseKeeper(JdbcLeaseTable table, LeaseListener listener, @Nullable WorkNotifier notifier, LongSupplier nanoTime) {
		this.table = table;
		this.listener = listener;
		this.nanoTime = nanoTime;
		this.news = new LeaseNews(this.held, this.waiters, notifier);
		this.abandoned = new AbandonedLeases(table, this.news);
	}

	LeaseNews news() {
		return this.news;
	}

	LeaseWaiters waiters() {
		return this.waiters;
	}

	int held() {
		return this.held.size();
	}

	int failures() {
		return this.failures.get();
	}

	boolean hasThreads() {
		return this.renewer.isAlive() || this.watcher.isAlive();
	}

	void keep(HeldLease lease) {
		this.held.add(lease);
		this.watcher.lookBy(this.nanoTime.getAsLong() + lease.nanosLeft());
		if (lease.isRenewed()) {
			this.renewer.lookBy(lease.renewal());
		}
	}

	/**
	 * Threads sleep until the end of a lease; after the last one they have no need to.
	 */
	private void forget(HeldLease lease) {
		if (this.held.remove(lease) && this.held.isEmpty()) {
			long now = this.nanoTime.getAsLong();
			this.watcher.lookBy(now);
			this.renewer.lookBy(now);
		}
	}

	private long watch() {
		long next = LeaseThread.NEVER;
		for (HeldLease lease : this.held) {
			long left = lease.nanosLeft();
			if (left > 0) {
				next = Math.min(next, left);
			}
		}
		return next;
	}

	private long renewDue() {
		long now = this.nanoTime.getAsLong();
		List<HeldLease> due = this.held.stream().filter((lease) -> lease.isDue(now) && lease.isHeld()).toList();
		for (int from = 0; from < due.size(); from += BATCH) {
			renew(due.subList(from, Math.min(from + BATCH, due.size())));
		}
		this.abandoned.release(this.nanoTime.getAsLong());
		return untilNextRound();
	}

	private long untilNextRound() {
		long now = this.nanoTime.getAsLong();
		long next = LeaseThread.NEVER;
		for (HeldLease lease : this.held) {
			if (lease.isRenewed()) {
				next = Math.min(next, Math.max(0, lease.renewal() - now));
			}
		}
		return this.abandoned.isEmpty() ? next : Math.min(next, AbandonedLeases.PAUSE);
	}

	private void renew(List<HeldLease> leases) {
		try {
			ask(leases);
			int failed = this.failures.getAndSet(0);
			if (failed > 0) {
				logger.info("Leases are renewed again after {} failures", failed);
			}
		}
		catch (RuntimeException ex) {
			if (this.failures.incrementAndGet() == 1) {
				logger.warn("{} leases, \"{}\" among them, could not be renewed and are tried again until they end; "
						+ "further failures in a row are not logged", leases.size(), leases.get(0).name(), ex);
			}
			this.listener.renewalFailed(ex);
			leases.forEach((lease) -> lease.postpone(this.nanoTime.getAsLong()));
		}
	}

	boolean renewNow(HeldLease lease) {
		ask(List.of(lease));
		if (lease.isRenewed()) {
			this.renewer.lookBy(lease.renewal());
		}
		return lease.isHeld();
	}

	private void ask(List<HeldLease> leases) {
		long shortest = leases.stream().mapToLong(HeldLease::nanosLeft).min().orElse(0);
		Duration third = Duration.ofNanos(shortest / 3);
		long asked = this.nanoTime.getAsLong();
		Set<UUID> renewed = this.table.renew(leases,
				(third.compareTo(SHORTEST_PATIENCE) > 0) ? third : SHORTEST_PATIENCE);
		for (HeldLease lease : leases) {
			if (!renewed.contains(lease.owner())) {
				lease.lose("the database says that it has expired or is somebody else's");
			}
			else if (!lease.renewed(asked)) {
				abandon(lease);
			}
		}
	}

	void lost(HeldLease lease, String why, List<Runnable> callbacks) {
		forget(lease);
		logger.warn("{} is lost: {}", lease, why);
		this.listener.lost(lease.label());
		call(lease, callbacks);
	}

	/** On a thread of its own: nobody's callback waits for that of another lease. */
	private static void call(HeldLease lease, List<Runnable> callbacks) {
		if (callbacks.isEmpty()) {
			return;
		}
		Thread thread = new Thread(() -> callbacks.forEach((callback) -> {
			try {
				callback.run();
			}
			catch (RuntimeException ex) {
				logger.error("What was to be done at the loss of {} failed", lease, ex);
			}
		}), "whizbang-lease-lost");
		thread.setDaemon(true);
		thread.start();
	}

	void release(HeldLease lease) {
		forget(lease);
		try {
			this.table.release(List.of(lease)).forEach((name) -> this.news.free(name, lease.isWanted()));
		}
		catch (RuntimeException ex) {
			logger.debug("{} could not be released; it is tried again until it expires", lease, ex);
			abandon(lease);
		}
	}

	/** Takes all leases from their holders and releases them. */
	void releaseAll() {
		List<HeldLease> withdrawn = new ArrayList<>();
		for (HeldLease lease : List.copyOf(this.held)) {
			List<Runnable> callbacks = lease.withdraw();
			if (callbacks != null) {
				forget(lease);
				withdrawn.add(lease);
				call(lease, callbacks);
			}
		}
		if (withdrawn.isEmpty()) {
			return;
		}
		logger.info("{} leases, \"{}\" among them, are released because the application stops", withdrawn.size(),
				withdrawn.get(0).name());
		try {
			// Who stops does not hear any more who waits.
			this.table.release(withdrawn).forEach((name) -> this.news.free(name, true));
		}
		catch (RuntimeException ex) {
			logger.warn("{} leases could not be released; they expire by themselves", withdrawn.size(), ex);
		}
	}

	/**
	 * Releases a lease when the database can be reached, unless it has expired by then.
	 */
	private void abandon(HeldLease lease) {
		long now = this.nanoTime.getAsLong();
		this.abandoned.add(lease.name(), lease.owner(), lease.duration(), lease.atLeast(), now);
		this.renewer.lookBy(now + AbandonedLeases.PAUSE);
	}

	/**
	 * Releases what may have been acquired, because nobody knows.
	 * @param name what may be leased
	 * @param owner the acquisition
	 * @param duration how long it would last at most
	 */
	void abandon(String name, UUID owner, Duration duration) {
		long now = this.nanoTime.getAsLong();
		this.abandoned.addUnsure(name, owner, duration, now);
		this.renewer.lookBy(now + AbandonedLeases.PAUSE);
	}

}

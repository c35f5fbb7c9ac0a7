package io.whizbang.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.lease.JdbcLeaseTable.Answer;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.TransientErrors;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the application's database.
 */
public final class JdbcLeases implements Leases {

	private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

	private static final long ENOUGH = Duration.ofDays(365).toNanos();

	private final JdbcLeaseTable table;

	private final LeaseKeeper keeper;

	private final LeaseSettings settings;

	private final LeaseListener listener;

	private final String holder;

	private final Duration firstPause;

	private final LongSupplier nanoTime;

	/**
	 * Creates leases.
	 * @param dataSource where the schema is
	 * @param schema its name
	 * @param instance who holds what is acquired here
	 * @param settings how leases are kept
	 * @param listener hears what becomes of them
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public JdbcLeases(DataSource dataSource, String schema, InstanceInfo instance, LeaseSettings settings,
			LeaseListener listener, @Nullable WorkNotifier notifier) {
		this(new JdbcLeaseTable(dataSource, schema), instance, settings, listener, notifier);
	}

	/**
	 * Creates leases.
	 * @param table where they are kept
	 * @param instance who holds what is acquired here
	 * @param settings how leases are kept
	 * @param listener hears what becomes of them
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public JdbcLeases(JdbcLeaseTable table, InstanceInfo instance, LeaseSettings settings, LeaseListener listener,
			@Nullable WorkNotifier notifier) {
		this(table, instance, settings, listener, notifier, FIRST_PAUSE, System::nanoTime);
	}

	/**
	 * Creates leases for a test that sets clocks.
	 * @param table where they are kept
	 * @param instance who holds what is acquired here
	 * @param settings how leases are kept
	 * @param listener hears what becomes of them
	 * @param notifier tells other instances, or {@code null}
	 * @param firstPause how long who waits does so before it looks again by itself; each
	 * further pause is longer
	 * @param nanoTime this instance's time
	 */
	JdbcLeases(JdbcLeaseTable table, InstanceInfo instance, LeaseSettings settings, LeaseListener listener,
			@Nullable WorkNotifier notifier, Duration firstPause, LongSupplier nanoTime) {
		this.table = table;
		this.listener = new LeaseListeners(List.of(listener));
		this.keeper = new LeaseKeeper(table, this.listener, notifier, nanoTime);
		this.firstPause = firstPause;
		this.settings = settings;
		this.holder = "%s@%s:%d".formatted(instance.serviceName(), instance.hostName(), instance.processId());
		this.nanoTime = nanoTime;
	}

	@Override
	public Optional<Lease> tryAcquire(String name, LeaseOptions options) {
		LeaseLimits.checkName(name);
		UUID owner = UUID.randomUUID();
		Attempt attempt = attemptOrAbandon(name, options, owner);
		if (attempt.lease() == null) {
			this.listener.refused(options.label());
		}
		return Optional.ofNullable(attempt.lease());
	}

	private Attempt attemptOrAbandon(String name, LeaseOptions options, UUID owner) {
		try {
			return attempt(name, options, owner);
		}
		catch (RuntimeException ex) {
			// The database may have done it, and only the answer is lost.
			this.keeper.abandon(name, owner, options.duration());
			throw ex;
		}
	}

	private Attempt attempt(String name, LeaseOptions options, UUID owner) {
		long asked = this.nanoTime.getAsLong();
		Answer answer = this.table.acquire(name, owner, this.holder, options.duration());
		if (answer.token() == null) {
			return new Attempt(null, answer.heldFor());
		}
		HeldLease lease = new HeldLease(name, owner, answer.token(), options, this.settings, this.keeper, asked,
				this.nanoTime);
		if (lease.nanosLeft() == 0) {
			this.keeper.abandon(name, owner, options.duration());
			return new Attempt(null, Duration.ZERO);
		}
		this.keeper.keep(lease);
		this.listener.acquired(options.label());
		return new Attempt(lease, Duration.ZERO);
	}

	@Override
	public Optional<Lease> acquire(String name, LeaseOptions options, Duration maxWait) {
		LeaseLimits.checkName(name);
		LeaseLimits.checkWait(maxWait);
		try (LeaseWaiters.Wait wait = this.keeper.waiters().begin(name)) {
			Optional<Lease> lease = acquire(name, options, wait, saturatedNanos(maxWait));
			if (lease.isEmpty()) {
				this.listener.refused(options.label());
			}
			return lease;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

	private Optional<Lease> acquire(String name, LeaseOptions options, LeaseWaiters.Wait wait, long maxWait)
			throws InterruptedException {
		long start = System.nanoTime();
		UUID owner = UUID.randomUUID();
		long pause = this.firstPause.toNanos();
		boolean refused = false;
		while (true) {
			Attempt attempt;
			RuntimeException failure = null;
			try {
				attempt = attempt(name, options, owner);
			}
			catch (RuntimeException ex) {
				if (!TransientErrors.isTransient(ex)) {
					throw ex;
				}
				attempt = new Attempt(null, options.duration());
				failure = ex;
			}
			HeldLease lease = attempt.lease();
			if (lease != null) {
				if (refused) {
					// Others may wait too, and have said so before this instance had it.
					lease.want();
				}
				return Optional.of(lease);
			}
			long left = maxWait - (System.nanoTime() - start);
			if (left <= 0 || Thread.interrupted()) {
				return giveUp(name, owner, options, failure, left > 0);
			}
			if (failure == null) {
				// Only after a failure the database may know this owner.
				owner = UUID.randomUUID();
				refused = true;
				this.keeper.news().wanted(name);
			}
			wait.pause(Math.min(left, Math.min(jittered(pause), Math.max(1, attempt.heldFor().toNanos()))));
			pause = Math.min(pause * 2, this.settings.maxPause().toNanos());
		}
	}

	private Optional<Lease> giveUp(String name, UUID owner, LeaseOptions options, @Nullable RuntimeException failure,
			boolean interrupted) throws InterruptedException {
		if (failure != null) {
			this.keeper.abandon(name, owner, options.duration());
		}
		if (interrupted) {
			throw new InterruptedException();
		}
		if (failure != null) {
			throw failure;
		}
		return Optional.empty();
	}

	private static long jittered(long pause) {
		return (long) (pause * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
	}

	private static long saturatedNanos(Duration time) {
		return (time.toSeconds() >= Duration.ofNanos(ENOUGH).toSeconds()) ? ENOUGH : time.toNanos();
	}

	@Override
	public Optional<LeaseHolder> find(String name) {
		LeaseLimits.checkName(name);
		return this.table.list(name, null, 1).stream().findFirst();
	}

	@Override
	public List<LeaseHolder> list(@Nullable String after, int limit) {
		LeaseLimits.checkPage(limit);
		return this.table.list(null, after, limit);
	}

	/**
	 * Tells how many leases this instance holds.
	 * @return how many
	 */
	public int held() {
		return this.keeper.held();
	}

	/**
	 * Tells how many renewals have failed since one succeeded.
	 * @return how many
	 */
	public int consecutiveFailures() {
		return this.keeper.failures();
	}

	/**
	 * Takes all leases of this instance from their holders, and releases them.
	 */
	public void releaseAll() {
		this.keeper.releaseAll();
	}

	/**
	 * Returns who is to be told what other instances announce.
	 * @return the hearer
	 */
	public Hearer hearer() {
		return this.keeper.news();
	}

	boolean hasThreads() {
		return this.keeper.hasThreads();
	}

	/**
	 * What came of asking once.
	 *
	 * @param lease the lease, or {@code null} when somebody else has it
	 * @param heldFor for how long that one has it at most
	 */
	private record Attempt(@Nullable HeldLease lease, Duration heldFor) {
	}

}

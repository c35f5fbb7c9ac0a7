package io.whizbang.timer;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What the current transaction does about timers, and who is told when it has ended.
 */
final class ChangedInTransaction implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(ChangedInTransaction.class);

	/**
	 * Whoever looks for due messages looks back ten seconds; half of that is left for the
	 * commit.
	 */
	private static final long LONG_DUE = Duration.ofSeconds(5).toNanos();

	private final JdbcTimers timers;

	private final long start;

	private final Set<TimerId> written = new LinkedHashSet<>();

	/** When the first of them is due, in nanoseconds since the start. */
	private long firstDue = Long.MAX_VALUE;

	private final Set<Integer> news = new HashSet<>();

	private final Set<Integer> locked = new HashSet<>();

	private boolean endedMembers;

	private ChangedInTransaction(JdbcTimers timers) {
		this.timers = timers;
		this.start = timers.nanoTime();
	}

	static ChangedInTransaction of(JdbcTimers timers) {
		for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
			if (known instanceof ChangedInTransaction changes && changes.timers == timers) {
				return changes;
			}
		}
		ChangedInTransaction changes = new ChangedInTransaction(timers);
		TransactionSynchronizationManager.registerSynchronization(changes);
		return changes;
	}

	/**
	 * Timers were changed.
	 * @param change what was done to them
	 * @param changed the timers
	 * @param asked when the database was asked, so that the time to the next due one is
	 * not overestimated
	 */
	void add(JdbcTimers.Change change, List<ChangedTimer> changed, long asked) {
		for (ChangedTimer timer : changed) {
			this.endedMembers |= timer.endedMember();
			if (change != JdbcTimers.Change.CANCEL) {
				this.written.add(timer.id());
				this.firstDue = Math.min(this.firstDue, asked - this.start + nanos(timer.dueIn()));
			}
			// One that is new holds up nobody; one with a key may have replaced another.
			if (change != JdbcTimers.Change.SCHEDULE || timer.key() != null) {
				this.locked.add(timer.partitionHash());
			}
		}
		if (change != JdbcTimers.Change.CANCEL) {
			this.news.addAll(ChangedTimer.near(changed, this.timers.near()));
		}
	}

	/**
	 * A timer that appears long after its time would be passed over by those who look for
	 * due ones, until they look at everything again.
	 */
	@Override
	public void beforeCommit(boolean readOnly) {
		if (!this.written.isEmpty() && this.timers.nanoTime() - this.start - this.firstDue > LONG_DUE) {
			this.timers.renew(this.written);
		}
	}

	/**
	 * While the transaction was open, timers that it had cancelled or moved could not
	 * fire: after a rollback they may be late already.
	 */
	@Override
	public void afterCompletion(int status) {
		try {
			this.timers.raise((status == STATUS_COMMITTED) ? this.news : this.locked);
			if (this.endedMembers && status == STATUS_COMMITTED) {
				this.timers.tellOfMembers();
			}
		}
		catch (RuntimeException ex) {
			// The timers are committed: the caller must not believe otherwise.
			logger.warn("Could not tell the workers about timers; they find them with their next poll", ex);
		}
	}

	private static long nanos(Duration duration) {
		return (duration.compareTo(Duration.ofDays(30)) > 0) ? Duration.ofDays(30).toNanos() : duration.toNanos();
	}

}

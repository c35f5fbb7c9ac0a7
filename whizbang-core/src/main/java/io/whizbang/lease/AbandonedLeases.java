package io.whizbang.lease;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases that nobody needs and that the database may still think held, because it could
 * not be told. They are released when it can be reached, unless they have expired by
 * then.
 */
final class AbandonedLeases {

	private static final Logger logger = LoggerFactory.getLogger(AbandonedLeases.class);

	/** Nanoseconds between two tries. */
	static final long PAUSE = Duration.ofMillis(500).toNanos();

	/** Nanoseconds after which no acquisition is under way any more. */
	private static final long UNSURE = Duration.ofMinutes(1).toNanos();

	private static final int BATCH = 500;

	private final JdbcLeaseTable table;

	private final LeaseNews news;

	private final Queue<Abandoned> leases = new ConcurrentLinkedQueue<>();

	AbandonedLeases(JdbcLeaseTable table, LeaseNews news) {
		this.table = table;
		this.news = news;
	}

	/**
	 * Adds a lease.
	 * @param name what is, or may be, leased
	 * @param owner the acquisition
	 * @param duration how long it lasts at most
	 * @param atLeast how long it is to last at least
	 * @param now the time
	 */
	void add(String name, UUID owner, Duration duration, Duration atLeast, long now) {
		this.leases.add(new Abandoned(name, owner, duration, atLeast, now + duration.toNanos(), false));
	}

	/**
	 * Adds what may be a lease: the answer was lost, and the database may still be at it.
	 * @param name what may be leased
	 * @param owner the acquisition
	 * @param duration how long it would last at most
	 * @param now the time
	 */
	void addUnsure(String name, UUID owner, Duration duration, long now) {
		long until = now + Math.min(duration.toNanos(), UNSURE);
		this.leases.add(new Abandoned(name, owner, duration, Duration.ZERO, until, true));
	}

	boolean isEmpty() {
		return this.leases.isEmpty();
	}

	void release(long now) {
		this.leases.removeIf((lease) -> lease.until() - now <= 0);
		List<Abandoned> some = this.leases.stream().limit(BATCH).toList();
		if (some.isEmpty()) {
			return;
		}
		try {
			// Others may have begun to wait for it while it could not be released.
			Set<String> free = Set.copyOf(this.table.release(some));
			free.forEach((name) -> this.news.free(name, true));
			// One that is not there may be there soon, when its transaction commits.
			this.leases
				.removeAll(some.stream().filter((lease) -> !lease.unsure() || free.contains(lease.name())).toList());
		}
		catch (RuntimeException ex) {
			logger.debug("{} leases could not be released; they are tried again until they expire", some.size(), ex);
		}
	}

	/** One of them. */
	private record Abandoned(String name, UUID owner, Duration duration, Duration atLeast, long until,
			boolean unsure) implements JdbcLeaseTable.Held {
	}

}

package io.whizbang.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A lease and what is known of it here. It is over when its time is, counted from before
 * the database was asked, and a little less than that because clocks differ in speed.
 */
final class HeldLease implements Lease, JdbcLeaseTable.Held {

	/** Part of the duration by which the clocks may go apart. */
	private static final int MARGIN = 100;

	/** Part of the duration by which a renewal may be earlier, to go with others. */
	private static final int SLACK = 20;

	private static final String IN_TIME = "it could not be renewed in time";

	private static final String EXPIRED = "its time was over, and it was not to be renewed";

	private final String name;

	private final UUID owner;

	private final long token;

	private final LeaseOptions options;

	private final LeaseSettings settings;

	private final LeaseKeeper keeper;

	private final LongSupplier nanoTime;

	private final List<Runnable> callbacks = new ArrayList<>();

	private State state = State.HELD;

	private String ending = "it was released";

	private long deadline;

	private long renewal;

	/**
	 * Creates a lease that was just acquired.
	 * @param name what is leased
	 * @param owner the acquisition
	 * @param token the fencing token
	 * @param options how it is leased
	 * @param settings how it is kept
	 * @param keeper keeps it
	 * @param asked when the database was asked for it
	 * @param nanoTime tells the time
	 */
	HeldLease(String name, UUID owner, long token, LeaseOptions options, LeaseSettings settings, LeaseKeeper keeper,
			long asked, LongSupplier nanoTime) {
		this.name = name;
		this.owner = owner;
		this.token = token;
		this.options = options;
		this.settings = settings;
		this.keeper = keeper;
		this.nanoTime = nanoTime;
		lastsFrom(asked);
	}

	private void lastsFrom(long asked) {
		long nanos = duration().toNanos();
		this.deadline = asked + nanos - Math.max(nanos / MARGIN, 1_000_000);
		double jitter = 1 - this.settings.renewJitter() * ThreadLocalRandom.current().nextDouble();
		this.renewal = asked + (long) (nanos * this.settings.renewAt() * jitter);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public UUID owner() {
		return this.owner;
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Duration duration() {
		return this.options.duration();
	}

	@Override
	public Duration atLeast() {
		return this.options.atLeast();
	}

	String label() {
		return this.options.label();
	}

	boolean isRenewed() {
		return this.options.renewed();
	}

	@Override
	public boolean isHeld() {
		return nanosLeft() > 0;
	}

	@Override
	public void throwIfLost() {
		if (!isHeld()) {
			throw new LeaseLostException(this.name, this.token, ending());
		}
	}

	@Override
	public Duration remaining() {
		return Duration.ofNanos(nanosLeft());
	}

	/**
	 * Returns how long the lease is surely held, and takes note when that is over.
	 * @return nanoseconds, zero when it is not held
	 */
	long nanosLeft() {
		synchronized (this) {
			if (this.state != State.HELD) {
				return 0;
			}
			long left = this.deadline - this.nanoTime.getAsLong();
			if (left > 0) {
				return left;
			}
		}
		lose(this.options.renewed() ? IN_TIME : EXPIRED);
		return 0;
	}

	synchronized String ending() {
		return this.ending;
	}

	@Override
	public void onLost(Runnable callback) {
		isHeld();
		synchronized (this) {
			if (this.state == State.HELD) {
				this.callbacks.add(callback);
				return;
			}
			if (this.state == State.RELEASED) {
				return;
			}
		}
		callback.run();
	}

	@Override
	public boolean renewNow() {
		return isHeld() && this.keeper.renewNow(this);
	}

	@Override
	public void close() {
		if (isHeld() && end(State.RELEASED, "it was released") != null) {
			this.keeper.release(this);
		}
	}

	/**
	 * Takes note that the lease is lost.
	 * @param why how
	 */
	void lose(String why) {
		List<Runnable> interested = end(State.LOST, why);
		if (interested != null) {
			this.keeper.lost(this, why, interested);
		}
	}

	/**
	 * Takes the lease from its holder, because the application stops.
	 * @return callbacks, or {@code null} when the lease was not held
	 */
	@Nullable List<Runnable> withdraw() {
		return isHeld() ? end(State.LOST, "the application stops") : null;
	}

	private synchronized @Nullable List<Runnable> end(State how, String why) {
		if (this.state != State.HELD) {
			return null;
		}
		this.state = how;
		this.ending = why;
		List<Runnable> interested = List.copyOf(this.callbacks);
		this.callbacks.clear();
		return interested;
	}

	/**
	 * Takes note of a renewal.
	 * @param asked when the database was asked for it
	 * @return whether it came in time; else the lease was over before its answer came
	 */
	boolean renewed(long asked) {
		if (!isHeld()) {
			return false;
		}
		synchronized (this) {
			long before = this.deadline;
			long renewalBefore = this.renewal;
			lastsFrom(asked);
			if (this.deadline - before < 0) {
				// Two renewals were under way, and the earlier one's answer came last.
				this.deadline = before;
				this.renewal = renewalBefore;
			}
		}
		return isHeld();
	}

	/**
	 * Puts the renewal off after a failure.
	 * @param now the time
	 */
	synchronized void postpone(long now) {
		long pause = Math.min(Math.max(duration().toNanos() / SLACK, 20_000_000L), 5_000_000_000L);
		this.renewal = now + (long) (pause * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
	}

	synchronized long renewal() {
		return this.renewal;
	}

	/** Whether a renewal is due, or so soon that it may go with others. */
	synchronized boolean isDue(long now) {
		return this.options.renewed() && this.renewal - now <= duration().toNanos() / SLACK;
	}

	@Override
	public String toString() {
		return "Lease \"%s\" (token %d)".formatted(this.name, this.token);
	}

	private enum State {

		HELD, RELEASED, LOST

	}

}

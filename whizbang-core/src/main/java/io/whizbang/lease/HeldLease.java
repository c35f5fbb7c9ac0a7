package io.whizbang.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A lease and what is known of it here. It is over when its time is.
 */
final class HeldLease implements Lease, JdbcLeaseTable.Held {

	private static final String IN_TIME = "it could not be renewed in time";

	private static final String EXPIRED = "its time was over, and it was not to be renewed";

	private final String name;

	private final UUID owner;

	private final long token;

	private final LeaseOptions options;

	private final LeaseKeeper keeper;

	private final LongSupplier nanoTime;

	private final List<Runnable> callbacks = new ArrayList<>();

	private State state = State.HELD;

	private String ending = "it was released";

	private final LeaseTime time;

	private volatile boolean wanted;

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
		this.keeper = keeper;
		this.nanoTime = nanoTime;
		this.time = new LeaseTime(options.duration(), settings, asked);
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

	/** Another instance waits for it. */
	void want() {
		this.wanted = true;
	}

	boolean isWanted() {
		return this.wanted;
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
			long left = this.time.left(this.nanoTime.getAsLong());
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
			this.time.renewed(asked);
		}
		return isHeld();
	}

	/**
	 * Puts the renewal off after a failure.
	 * @param now the time
	 */
	synchronized void postpone(long now) {
		this.time.postpone(now);
	}

	synchronized long renewal() {
		return this.time.renewal();
	}

	/** Whether a renewal is due, or so soon that it may go with others. */
	synchronized boolean isDue(long now) {
		return this.options.renewed() && this.time.isDue(now);
	}

	@Override
	public String toString() {
		return "Lease \"%s\" (token %d)".formatted(this.name, this.token);
	}

	private enum State {

		HELD, RELEASED, LOST

	}

}

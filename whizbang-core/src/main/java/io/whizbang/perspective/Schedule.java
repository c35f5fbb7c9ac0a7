package io.whizbang.perspective;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * When this instance asks the database what it holds and whether there is news: often
 * while there is work, and less and less when there is none. Anyone may signal.
 */
final class Schedule {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final PerspectiveSettings settings;

	private final long heartbeat;

	private final BooleanSupplier listening;

	private final AtomicBoolean signalled = new AtomicBoolean();

	/** How often it was told to look, and which of these the last look has heard of. */
	private final AtomicInteger told = new AtomicInteger(1);

	private volatile int answered;

	private int heard;

	private volatile int emptyPolls;

	private volatile int shards;

	private long heldAt;

	private long suspicion = Long.MAX_VALUE;

	Schedule(PerspectiveSettings settings, Duration heartbeat, BooleanSupplier listening) {
		this.settings = settings;
		this.heartbeat = heartbeat.toNanos();
		this.listening = listening;
	}

	/** There may be new events. */
	void signal() {
		this.signalled.set(true);
	}

	/** Whether there may be new events, asked once. */
	boolean takeSignal() {
		return this.signalled.getAndSet(false);
	}

	void holdNow() {
		this.told.incrementAndGet();
	}

	boolean hasHeld() {
		return this.answered == this.told.get();
	}

	/** A look begins; what it is told from now on may come too late for it. */
	void holding() {
		this.heard = this.told.get();
	}

	boolean isHoldDue(long now, boolean busy) {
		return !hasHeld() || now - this.heldAt >= interval(busy);
	}

	/**
	 * Counts a poll.
	 * @param now when it was
	 * @param shards how many shards there are
	 * @param empty whether there was nothing to do
	 * @return how many polls in a row were empty
	 */
	int held(long now, int shards, boolean empty) {
		this.answered = this.heard;
		this.heldAt = now;
		this.shards = shards;
		this.emptyPolls = empty ? this.emptyPolls + 1 : 0;
		return this.emptyPolls;
	}

	/** Whether looks may be far apart, because announcements arrive. */
	boolean isPatient() {
		return this.listening.getAsBoolean();
	}

	/** Tells when another instance may be found dead, or that all seem to live. */
	void suspect(@Nullable Duration untilDeath) {
		this.suspicion = (untilDeath != null) ? Math.max(SECOND, untilDeath.toNanos()) : Long.MAX_VALUE;
	}

	void worked() {
		this.emptyPolls = 0;
	}

	/** There are no shards any more. */
	void left() {
		this.shards = 0;
	}

	int shards() {
		return this.shards;
	}

	long untilHold(long now, boolean busy) {
		return !hasHeld() ? 0 : this.heldAt + interval(busy) - now;
	}

	private long interval(boolean busy) {
		// Leases must be renewed at half-time, and the instance must show that it lives.
		long longest = Math.min(this.suspicion, Math.min(this.heartbeat, this.settings.lease().toNanos() / 3));
		if (busy) {
			return Math.min(SECOND, longest);
		}
		long poll = this.settings.minPoll().toNanos() << Math.min(this.emptyPolls, 20);
		long most = (isPatient() ? this.settings.listeningPoll() : this.settings.maxPoll()).toNanos();
		return Math.min(longest, (poll <= 0) ? most : Math.min(poll, most));
	}

}

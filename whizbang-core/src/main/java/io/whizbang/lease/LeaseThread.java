package io.whizbang.lease;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import org.jspecify.annotations.Nullable;

/**
 * A thread that is there while there is something to look after, and a moment longer.
 */
final class LeaseThread {

	/** What a look returns when there is nothing to look after. */
	static final long NEVER = Long.MAX_VALUE;

	/** Who acquires one lease after the other should not pay for a thread each time. */
	private static final long LINGER = Duration.ofSeconds(1).toNanos();

	private final String name;

	private final LongSupplier look;

	private @Nullable Runner runner;

	private @Nullable WorkLoop loop;

	private Waker waker = new Waker();

	private boolean planned;

	private long next;

	private boolean idle;

	private long idleSince;

	/**
	 * Creates a thread that does not run yet.
	 * @param name its name
	 * @param look what it does: returns nanoseconds until the next look, or
	 * {@link #NEVER}
	 */
	LeaseThread(String name, LongSupplier look) {
		this.name = name;
		this.look = look;
	}

	/**
	 * Has the thread look at some time, or earlier.
	 * @param time the time, as {@link System#nanoTime()} tells it
	 */
	synchronized void lookBy(long time) {
		if (this.planned && this.next - time <= 0) {
			return;
		}
		this.planned = true;
		this.next = time;
		if (this.runner == null) {
			this.idle = false;
			this.waker = new Waker();
			this.loop = new WorkLoop(this.name, this::round, this.waker);
			this.runner = Runner.start(this.name, this.loop);
		}
		else {
			this.waker.wake();
		}
	}

	synchronized boolean isAlive() {
		return this.runner != null && this.runner.isAlive();
	}

	private Duration round() {
		synchronized (this) {
			this.planned = false;
		}
		long left = this.look.getAsLong();
		return plan(left);
	}

	private synchronized Duration plan(long left) {
		long now = System.nanoTime();
		if (left != NEVER && (!this.planned || now + left - this.next < 0)) {
			this.planned = true;
			this.next = now + left;
		}
		if (this.planned) {
			this.idle = false;
			return Duration.ofNanos(Math.max(0, this.next - now));
		}
		if (!this.idle) {
			this.idle = true;
			this.idleSince = now;
		}
		long linger = LINGER - (now - this.idleSince);
		if (linger > 0) {
			return Duration.ofNanos(linger);
		}
		if (this.loop != null) {
			this.loop.stop();
		}
		this.runner = null;
		return Duration.ZERO;
	}

}

package io.whizbang.job;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * A run under way here: on which thread, and until when it is surely this instance's.
 */
final class HeldRun {

	private final ClaimedRun claimed;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

	private volatile @Nullable Thread thread;

	private volatile long deadline;

	private volatile boolean gone;

	HeldRun(ClaimedRun claimed, long deadline) {
		this.claimed = claimed;
		this.deadline = deadline;
	}

	ClaimedRun claimed() {
		return this.claimed;
	}

	JobRun run() {
		return this.claimed.run();
	}

	/** Nanoseconds until the lease is surely over, unless it is renewed. */
	long left(long now) {
		return this.deadline - now;
	}

	void renewed(long deadline) {
		this.deadline = deadline;
	}

	/** The database says, or was told, that the run is not this instance's any more. */
	void gone() {
		this.gone = true;
		interrupt();
	}

	boolean isGone() {
		return this.gone;
	}

	/** Says whether the handler may begin. */
	boolean begin() {
		this.thread = Thread.currentThread();
		return this.phase.compareAndSet(Phase.WAITING, Phase.CALLED);
	}

	/** Interrupts the handler, once, unless it has returned. */
	boolean interrupt() {
		if (this.phase.compareAndSet(Phase.WAITING, Phase.INTERRUPTED)) {
			return true;
		}
		if (!this.phase.compareAndSet(Phase.CALLED, Phase.INTERRUPTING)) {
			return false;
		}
		Thread running = this.thread;
		if (running != null) {
			running.interrupt();
		}
		this.phase.set(Phase.INTERRUPTED);
		return true;
	}

	/** The handler has returned: nobody interrupts the thread on its behalf any more. */
	void returned() {
		if (!this.phase.compareAndSet(Phase.CALLED, Phase.RETURNED)) {
			while (this.phase.get() == Phase.INTERRUPTING) {
				Thread.onSpinWait();
			}
		}
		Thread.interrupted();
	}

	boolean isInterrupted() {
		return this.phase.get() == Phase.INTERRUPTED;
	}

	private enum Phase {

		WAITING, CALLED, RETURNED, INTERRUPTING, INTERRUPTED

	}

}

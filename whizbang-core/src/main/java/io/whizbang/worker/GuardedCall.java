package io.whizbang.worker;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * A call of the application's code for as long as something is held: on which thread it
 * runs, and until when what it needs is surely this instance's.
 */
public class GuardedCall {

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

	private volatile @Nullable Thread thread;

	private volatile long deadline;

	private volatile boolean gone;

	/**
	 * Creates a call.
	 * @param deadline until when, by {@link System#nanoTime()}, what it needs is held
	 */
	protected GuardedCall(long deadline) {
		this.deadline = deadline;
	}

	/** Nanoseconds until what it needs is surely over, unless that is renewed. */
	public final long left(long now) {
		return this.deadline - now;
	}

	/** Says whether it may go on beyond the time that it has. */
	protected boolean isRenewable() {
		return true;
	}

	public final void renewed(long deadline) {
		this.deadline = deadline;
	}

	/** The database says, or was told, that it is not this instance's any more. */
	public final void gone() {
		this.gone = true;
		interrupt();
	}

	public final boolean isGone() {
		return this.gone;
	}

	/** Says whether the code may begin. */
	public final boolean begin() {
		this.thread = Thread.currentThread();
		return this.phase.compareAndSet(Phase.WAITING, Phase.CALLED);
	}

	/** Interrupts the code, once, unless it has returned. */
	public final boolean interrupt() {
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

	/** The code has returned: nobody interrupts the thread on its behalf any more. */
	public final void returned() {
		if (!this.phase.compareAndSet(Phase.CALLED, Phase.RETURNED)) {
			while (this.phase.get() == Phase.INTERRUPTING) {
				Thread.onSpinWait();
			}
		}
		Thread.interrupted();
	}

	public final boolean isInterrupted() {
		return this.phase.get() == Phase.INTERRUPTED;
	}

	private enum Phase {

		WAITING, CALLED, RETURNED, INTERRUPTING, INTERRUPTED

	}

}

package io.whizbang.chaos;

import java.time.Duration;

/**
 * Whether an instance lives, stands still or is dead. Whatever it does passes here first.
 */
final class Fate {

	private long stillUntil = System.nanoTime();

	private boolean killed;

	synchronized void pause(Duration time) {
		this.stillUntil = System.nanoTime() + time.toNanos();
	}

	synchronized void goOn() {
		this.stillUntil = System.nanoTime();
		notifyAll();
	}

	synchronized void kill() {
		this.killed = true;
		notifyAll();
	}

	synchronized void pass() {
		boolean interrupted = false;
		for (long left = left(); !this.killed && left > 0; left = left()) {
			try {
				wait(left);
			}
			catch (InterruptedException ex) {
				// A process that stands still does not hear that it is interrupted; it
				// hears it later.
				interrupted = true;
			}
		}
		if (this.killed) {
			throw new KilledException();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private long left() {
		long nanos = this.stillUntil - System.nanoTime();
		return (nanos > 0) ? nanos / 1_000_000 + 1 : 0;
	}

}

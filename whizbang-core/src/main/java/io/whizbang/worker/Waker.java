package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A wait that can be cut short. A wake that comes before the wait is kept, not lost. Many
 * threads may wake, one waits.
 */
public final class Waker {

	private final AtomicBoolean woken = new AtomicBoolean();

	private volatile @Nullable Thread waiter;

	public void wake() {
		if (this.woken.compareAndSet(false, true)) {
			LockSupport.unpark(this.waiter);
		}
	}

	/**
	 * Waits until woken or until the time is over.
	 * @param time how long at most
	 * @return whether it was woken
	 */
	public boolean await(Duration time) {
		long start = System.nanoTime();
		long nanos = saturatedNanos(time);
		this.waiter = Thread.currentThread();
		try {
			while (!this.woken.get()) {
				long left = nanos - (System.nanoTime() - start);
				if (left <= 0) {
					break;
				}
				LockSupport.parkNanos(this, left);
				// An interrupt must not turn the wait into a busy loop; only stopping
				// ends a loop.
				Thread.interrupted();
			}
		}
		finally {
			this.waiter = null;
			// Also when there was no time left to wait: the next call of the database
			// would fail for it.
			Thread.interrupted();
		}
		return this.woken.getAndSet(false);
	}

	private static long saturatedNanos(Duration time) {
		return (time.compareTo(Duration.ofDays(1)) > 0) ? Duration.ofDays(1).toNanos() : time.toNanos();
	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.worker.Waker;

/**
 * Runs lanes on the threads of an executor, no more at once than allowed, and wakes the
 * worker when one ends.
 */
final class LaneRunner {

	private final Executor executor;

	private final int concurrency;

	private final Waker waker;

	private final Runnable worked;

	private final AtomicInteger active = new AtomicInteger();

	/**
	 * Creates a runner.
	 * @param executor has room for as many tasks as may run at once
	 * @param concurrency how many lanes may run at once
	 * @param waker wakes the worker
	 * @param worked called when a lane has done something
	 */
	LaneRunner(Executor executor, int concurrency, Waker waker, Runnable worked) {
		this.executor = executor;
		this.concurrency = concurrency;
		this.waker = waker;
		this.worked = worked;
	}

	boolean isBusy() {
		return this.active.get() > 0;
	}

	boolean hasRoom() {
		return this.active.get() < this.concurrency;
	}

	/** Starts those that have something to do, as far as there is room. */
	void start(Collection<LaneSlot> slots, UUID instance) {
		long now = System.nanoTime();
		for (LaneSlot slot : slots) {
			if (hasRoom() && slot.isReady(now)) {
				start(slot, instance);
			}
		}
	}

	private void start(LaneSlot slot, UUID instance) {
		this.active.incrementAndGet();
		slot.begin();
		try {
			this.executor.execute(() -> run(slot, instance));
		}
		catch (RejectedExecutionException ex) {
			slot.rejected();
			this.active.decrementAndGet();
			throw ex;
		}
	}

	private void run(LaneSlot slot, UUID instance) {
		try {
			if (slot.run(instance)) {
				this.worked.run();
			}
		}
		finally {
			this.active.decrementAndGet();
			this.waker.wake();
		}
	}

	/** Waits until none runs any more, on the worker's thread. */
	void awaitEnd(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		while (isBusy() && System.nanoTime() - end < 0) {
			this.waker.await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
		}
	}

}

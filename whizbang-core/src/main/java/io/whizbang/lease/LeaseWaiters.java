package io.whizbang.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Threads of this instance that wait for leases, woken when one is released, here or as
 * far as others tell.
 */
final class LeaseWaiters {

	private final Map<String, Line> lines = new HashMap<>();

	/**
	 * Begins to wait for a lease. What is released from now on is not missed.
	 * @param name what is leased
	 * @return the wait
	 */
	synchronized Wait begin(String name) {
		Line line = this.lines.computeIfAbsent(name, (key) -> new Line());
		line.waiting++;
		return new Wait(name, line);
	}

	synchronized void released(String name) {
		Line line = this.lines.get(name);
		if (line != null) {
			line.releases++;
			notifyAll();
		}
	}

	/** Leases with such a name may have been released elsewhere. */
	synchronized void released(Predicate<String> names) {
		this.lines.forEach((name, line) -> line.releases += names.test(name) ? 1 : 0);
		notifyAll();
	}

	private synchronized void pause(Wait wait, long nanos) throws InterruptedException {
		long start = System.nanoTime();
		while (wait.line.releases == wait.seen) {
			long left = nanos - (System.nanoTime() - start);
			if (left <= 0) {
				break;
			}
			wait(left / 1_000_000, (int) (left % 1_000_000));
		}
		wait.seen = wait.line.releases;
	}

	private synchronized void end(Wait wait) {
		if (--wait.line.waiting == 0) {
			this.lines.remove(wait.name);
		}
	}

	/** Those who wait for the same lease. */
	private static final class Line {

		private int waiting;

		private int releases;

	}

	/** One who waits. */
	final class Wait implements AutoCloseable {

		private final String name;

		private final Line line;

		private int seen;

		private Wait(String name, Line line) {
			this.name = name;
			this.line = line;
			this.seen = line.releases;
		}

		/**
		 * Pauses until the lease is released here, or the time is over.
		 * @param nanos the time
		 * @throws InterruptedException when the thread is to stop waiting
		 */
		void pause(long nanos) throws InterruptedException {
			LeaseWaiters.this.pause(this, nanos);
		}

		@Override
		public void close() {
			end(this);
		}

	}

}

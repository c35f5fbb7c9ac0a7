package io.whizbang.control;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * Counts, second by second, how much work has ended here in the last minute, so that
 * operators see at once whether anything moves.
 */
public final class Throughput implements WorkListener {

	/** So many seconds are remembered. */
	public static final int SECONDS = 60;

	private static final long NANOS = 1_000_000_000L;

	private final Map<Queue, Window> done = new EnumMap<>(Queue.class);

	private final Map<Queue, Window> failed = new EnumMap<>(Queue.class);

	private final LongSupplier nanoTime;

	public Throughput() {
		this(System::nanoTime);
	}

	Throughput(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		for (Queue queue : Queue.values()) {
			this.done.put(queue, new Window());
			this.failed.put(queue, new Window());
		}
	}

	@Override
	public void ended(Queue queue, Work work, Outcome outcome) {
		if (outcome instanceof Outcome.Done) {
			count(this.done.get(queue));
		}
		else if (outcome instanceof Outcome.Retry || outcome instanceof Outcome.Dead) {
			count(this.failed.get(queue));
		}
	}

	/**
	 * Counts what is not reported as single messages.
	 * @param queue the queue
	 * @param done how much has ended well
	 * @param failed how many attempts have failed
	 */
	public void ended(Queue queue, int done, int failed) {
		count(this.done.get(queue), done);
		count(this.failed.get(queue), failed);
	}

	private void count(@Nullable Window window) {
		count(window, 1);
	}

	private void count(@Nullable Window window, int count) {
		if (window != null && count > 0) {
			window.count(second(), count);
		}
	}

	/**
	 * Returns how many messages have ended well.
	 * @param queue their queue
	 * @return a number for each of the last seconds, the oldest first
	 */
	public List<Long> done(Queue queue) {
		return recent(this.done, queue);
	}

	/**
	 * Returns how many attempts have failed.
	 * @param queue the queue
	 * @return a number for each of the last seconds, the oldest first
	 */
	public List<Long> failed(Queue queue) {
		return recent(this.failed, queue);
	}

	private List<Long> recent(Map<Queue, Window> windows, Queue queue) {
		Window window = windows.get(queue);
		return (window != null) ? window.recent(second()) : List.of();
	}

	private long second() {
		return Math.floorDiv(this.nanoTime.getAsLong(), NANOS);
	}

	/**
	 * A ring of seconds, without a lock: at the turn of a second a count may get lost,
	 * which no curve shows.
	 */
	private static final class Window {

		private static final int SIZE = 64;

		private final AtomicLongArray seconds = new AtomicLongArray(SIZE);

		private final AtomicLongArray counts = new AtomicLongArray(SIZE);

		void count(long second, int count) {
			int slot = slot(second);
			long seen = this.seconds.get(slot);
			if (seen != second && this.seconds.compareAndSet(slot, seen, second)) {
				this.counts.set(slot, 0);
			}
			this.counts.addAndGet(slot, count);
		}

		/** The second that is under way is left out: it is always too low. */
		List<Long> recent(long now) {
			return LongStream.range(now - SECONDS, now).map(this::of).boxed().toList();
		}

		private long of(long second) {
			int slot = slot(second);
			return (this.seconds.get(slot) == second) ? this.counts.get(slot) : 0;
		}

		private static int slot(long second) {
			return Math.floorMod(second, SIZE);
		}

	}

}

package io.whizbang.worker;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.work.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the lanes with a bounded number of tasks, each of which does as much work as it
 * finds: a task per message would cost more than many a message.
 */
final class Drainers {

	private static final Logger logger = LoggerFactory.getLogger(Drainers.class);

	private final Lanes lanes;

	private final HandOver handOver;

	private final Executor executor;

	private final int limit;

	private final Runnable news;

	private final AtomicInteger count = new AtomicInteger();

	/** Whether a task is on its way that has not looked for work yet. */
	private final AtomicBoolean hiring = new AtomicBoolean();

	Drainers(Lanes lanes, HandOver handOver, Executor executor, int limit, Runnable news) {
		this.lanes = lanes;
		this.handOver = handOver;
		this.executor = executor;
		this.limit = limit;
		this.news = news;
	}

	/**
	 * Sees to it that enough tasks run. One at a time: whoever starts hires the next one
	 * if there is still something to do by then. When handlers are quick there is not,
	 * and waking many threads would take longer than their work.
	 * @param ready how many lanes could start
	 */
	void employ(int ready) {
		// Once more when a task has ended meanwhile: it has seen that one is being hired.
		while (ready > 0 && this.count.get() < this.limit && this.hiring.compareAndSet(false, true)) {
			if (enter()) {
				hire();
				return;
			}
			this.hiring.set(false);
		}
	}

	private void hire() {
		try {
			this.executor.execute(this::drain);
		}
		catch (RejectedExecutionException ex) {
			this.count.decrementAndGet();
			this.hiring.set(false);
			throw ex;
		}
	}

	private void drain() {
		this.hiring.set(false);
		try {
			Running running = null;
			List<Outcome> outcomes = List.of();
			do {
				Lanes.Turn turn = this.lanes.next(running, outcomes);
				if (turn.news()) {
					this.news.run();
				}
				running = turn.next();
				if (running != null) {
					employQuietly(turn.ready());
					outcomes = this.handOver.run(running);
				}
			}
			while (running != null);
		}
		catch (Throwable ex) {
			logger.error("Work could not be accounted for; it comes back when its lease ends", ex);
		}
		this.count.decrementAndGet();
		employQuietly(this.lanes.readyCount());
	}

	/** As {@link #employ}, from a thread that nobody hears complain. */
	void employQuietly(int ready) {
		try {
			employ(ready);
		}
		catch (RejectedExecutionException ex) {
			// The pump tries again, and is the one to complain.
			this.news.run();
		}
	}

	private boolean enter() {
		int now = this.count.get();
		while (now < this.limit) {
			if (this.count.compareAndSet(now, now + 1)) {
				return true;
			}
			now = this.count.get();
		}
		return false;
	}

}

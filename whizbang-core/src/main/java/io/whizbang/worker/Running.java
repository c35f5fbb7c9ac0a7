package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * One call of the handler: what it got, on which thread, since when.
 */
final class Running {

	private final List<Part> parts;

	private final LongSupplier nanoTime;

	private final Thread thread = Thread.currentThread();

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.CALLED);

	private volatile long startedAt;

	private volatile @Nullable Duration timeout;

	private volatile boolean reportedStuck;

	Running(List<Part> parts, LongSupplier nanoTime) {
		this.parts = parts;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
	}

	List<Part> parts() {
		return this.parts;
	}

	List<Item> items() {
		if (this.parts.size() == 1) {
			return this.parts.get(0).items();
		}
		List<Item> items = new ArrayList<>();
		this.parts.forEach((part) -> items.addAll(part.items()));
		return items;
	}

	/**
	 * Returns how much time is left.
	 * @param usual how long a call may take that says nothing else
	 * @return nanoseconds, negative when the time is up
	 */
	long left(Duration usual, long now) {
		Duration own = this.timeout;
		return ((own != null) ? own : usual).toNanos() - (now - this.startedAt);
	}

	/** A piece of the work begins, whose time starts now. */
	void begin(@Nullable Duration atMost) {
		returned();
		this.timeout = atMost;
		this.startedAt = this.nanoTime.getAsLong();
		this.phase.set(Phase.CALLED);
	}

	boolean isTimedOut() {
		Phase phase = this.phase.get();
		return phase == Phase.INTERRUPTING || phase == Phase.INTERRUPTED;
	}

	/** Interrupts the handler, once, unless it has returned. */
	boolean timeOut() {
		if (!this.phase.compareAndSet(Phase.CALLED, Phase.INTERRUPTING)) {
			return false;
		}
		this.thread.interrupt();
		this.phase.set(Phase.INTERRUPTED);
		return true;
	}

	/**
	 * The handler has returned: from here on nobody interrupts the thread on its behalf.
	 */
	void returned() {
		if (this.phase.compareAndSet(Phase.CALLED, Phase.RETURNED)) {
			return;
		}
		while (this.phase.get() == Phase.INTERRUPTING) {
			Thread.onSpinWait();
		}
		Thread.interrupted();
	}

	/**
	 * A piece of the work has ended: until the next one begins nobody interrupts the
	 * thread.
	 * @return whether its time was up
	 */
	boolean end() {
		returned();
		return this.phase.getAndSet(Phase.RETURNED) == Phase.INTERRUPTED;
	}

	/**
	 * Counts the messages that cannot go on before this call ends.
	 * @param claim whose messages
	 * @return how many are in the call or behind it
	 */
	int countHeldUp(HeldClaim claim) {
		int count = 0;
		for (Part part : this.parts) {
			for (Item item : part.items()) {
				count += (item.claim() == claim) ? 1 : 0;
			}
			count += part.lane().count(claim);
		}
		return count;
	}

	/** Says whether to complain about it now: it is so once. */
	boolean reportStuck() {
		boolean first = !this.reportedStuck;
		this.reportedStuck = true;
		return first;
	}

	private enum Phase {

		CALLED, RETURNED, INTERRUPTING, INTERRUPTED

	}

	/**
	 * What the call got from one lane.
	 *
	 * @param lane the lane
	 * @param items the messages, in order
	 */
	record Part(Lane lane, List<Item> items) {
	}

}

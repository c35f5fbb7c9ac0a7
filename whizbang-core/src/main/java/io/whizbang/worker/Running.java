package io.whizbang.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call of the handler: what it got, on which thread, since when.
 */
final class Running {

	private final List<Part> parts;

	private final long startedAt;

	private final Thread thread = Thread.currentThread();

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.CALLED);

	private volatile boolean reportedStuck;

	Running(List<Part> parts, long now) {
		this.parts = parts;
		this.startedAt = now;
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

	long elapsed(long now) {
		return now - this.startedAt;
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

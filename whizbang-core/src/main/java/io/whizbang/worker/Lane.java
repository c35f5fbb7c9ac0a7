package io.whizbang.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The messages of one stream, in order. One that has no stream has a lane for itself.
 * Guarded by the lock of {@link Lanes}.
 */
final class Lane {

	private final @Nullable UUID stream;

	private final Deque<Item> waiting = new ArrayDeque<>(2);

	private boolean running;

	private boolean blocked;

	private boolean queued;

	Lane(@Nullable UUID stream) {
		this.stream = stream;
	}

	@Nullable UUID stream() {
		return this.stream;
	}

	void add(Item item) {
		this.waiting.add(item);
	}

	@Nullable Item head() {
		return this.waiting.peek();
	}

	@Nullable Item last() {
		return this.waiting.peekLast();
	}

	/**
	 * Takes what may be handed over together.
	 * @param limit how many at most
	 * @return the head and those of its claim behind it with an equal key
	 */
	List<Item> take(int limit) {
		Item head = this.waiting.remove();
		if (head.key() == null || limit == 1) {
			return List.of(head);
		}
		List<Item> taken = new ArrayList<>();
		taken.add(head);
		while (taken.size() < limit && !this.waiting.isEmpty() && this.waiting.getFirst().claim() == head.claim()
				&& Objects.equals(head.key(), this.waiting.getFirst().key())) {
			taken.add(this.waiting.remove());
		}
		return taken;
	}

	/**
	 * Takes back what was handed over and not tried.
	 * @param items the items, in order
	 */
	void putBack(List<Item> items) {
		for (int i = items.size() - 1; i >= 0; i--) {
			this.waiting.addFirst(items.get(i));
		}
	}

	Stream<Item> waiting() {
		return this.waiting.stream();
	}

	List<Item> removeIf(Predicate<Item> unwanted) {
		List<Item> removed = new ArrayList<>();
		for (Iterator<Item> items = this.waiting.iterator(); items.hasNext();) {
			Item item = items.next();
			if (unwanted.test(item)) {
				items.remove();
				removed.add(item);
			}
		}
		return removed;
	}

	int count(HeldClaim claim) {
		int count = 0;
		for (Item item : this.waiting) {
			count += (item.claim() == claim) ? 1 : 0;
		}
		return count;
	}

	boolean isStartable() {
		return !this.running && !this.blocked && !this.waiting.isEmpty();
	}

	/** Nothing waits, nothing runs, and no failure waits for its report. */
	boolean isOver() {
		return !this.running && !this.blocked && this.waiting.isEmpty();
	}

	boolean isRunning() {
		return this.running;
	}

	void setRunning(boolean running) {
		this.running = running;
	}

	boolean isBlocked() {
		return this.blocked;
	}

	void setBlocked(boolean blocked) {
		this.blocked = blocked;
	}

	boolean isQueued() {
		return this.queued;
	}

	void setQueued(boolean queued) {
		this.queued = queued;
	}

}

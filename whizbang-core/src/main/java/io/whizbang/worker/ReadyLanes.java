package io.whizbang.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The lanes whose next message may start, by what may be handed over together; keys take
 * turns, and so do the lanes of a key. Guarded by the lock of {@link Lanes}.
 */
final class ReadyLanes {

	private static final Object ALONE = new Object();

	private final Map<Object, Deque<Lane>> byKey = new HashMap<>();

	private final Deque<Object> turns = new ArrayDeque<>();

	private int size;

	/**
	 * Queues the lane if it can start and is not queued yet.
	 * @param lane the lane
	 */
	void offer(Lane lane) {
		if (!lane.isStartable() || lane.isQueued()) {
			return;
		}
		lane.setQueued(true);
		this.size++;
		this.byKey.computeIfAbsent(keyOf(lane), (key) -> {
			this.turns.add(key);
			return new ArrayDeque<>();
		}).add(lane);
	}

	/**
	 * Takes what one call of the handler gets.
	 * @param limit how many messages at most
	 * @param inTime whether the head of a lane may still start
	 * @return the messages by lane; empty when nothing can start
	 */
	List<Running.Part> take(int limit, Predicate<Lane> inTime) {
		List<Running.Part> parts = new ArrayList<>(1);
		while (parts.isEmpty() && !this.turns.isEmpty()) {
			Object key = this.turns.remove();
			Deque<Lane> lanes = this.byKey.getOrDefault(key, new ArrayDeque<>());
			int room = (key != ALONE) ? limit : 1;
			while (room > 0 && !lanes.isEmpty()) {
				Lane lane = lanes.remove();
				lane.setQueued(false);
				this.size--;
				// What a lane waits with may have changed since it was queued.
				if (!lane.isStartable() || !inTime.test(lane) || !key.equals(keyOf(lane))) {
					offer(lane);
					continue;
				}
				List<Item> items = lane.take(room);
				parts.add(new Running.Part(lane, items));
				room -= items.size();
			}
			if (lanes.isEmpty()) {
				this.byKey.remove(key);
			}
			else {
				this.turns.add(key);
			}
		}
		return parts;
	}

	int size() {
		return this.size;
	}

	private static Object keyOf(Lane lane) {
		Item head = lane.head();
		return (head != null && head.key() != null) ? head.key() : ALONE;
	}

}

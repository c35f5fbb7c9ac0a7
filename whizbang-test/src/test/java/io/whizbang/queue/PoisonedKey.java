package io.whizbang.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What must be true of one key some of whose messages always fail: each is handed out, in
 * order, until it is done, was told to be dead, or has had all its tries. To be used by
 * whoever holds its monitor, also while the end of a batch is told.
 */
final class PoisonedKey {

	private final int maxAttempts;

	/** Tries of each message that has not ended, in the order of commits. */
	private final Map<Integer, Integer> open = new LinkedHashMap<>();

	private final Set<Integer> poisoned = ConcurrentHashMap.newKeySet();

	private final Map<Integer, String> dead = new LinkedHashMap<>();

	private int sent;

	PoisonedKey(int maxAttempts) {
		this.maxAttempts = maxAttempts;
	}

	/** Notes that the next message is committed, or about to be. */
	void send(boolean poison) {
		this.sent++;
		this.open.put(this.sent, 0);
		if (poison) {
			this.poisoned.add(this.sent);
		}
	}

	int sent() {
		return this.sent;
	}

	boolean isPoisoned(int number) {
		return this.poisoned.contains(number);
	}

	/** Notes that a batch was handed out. */
	void taken(List<Integer> numbers, List<Integer> attempts) {
		List<Integer> expected = new ArrayList<>();
		for (Iterator<Map.Entry<Integer, Integer>> each = this.open.entrySet().iterator(); each.hasNext()
				&& expected.size() < numbers.size();) {
			Map.Entry<Integer, Integer> next = each.next();
			if (next.getValue() >= this.maxAttempts) {
				die(next.getKey(), "max-attempts");
				each.remove();
			}
			else {
				expected.add(next.getKey());
			}
		}
		check(numbers.equals(expected), "came with %s, not with %s".formatted(numbers, expected));
		List<Integer> tries = numbers.stream().map((number) -> this.open.getOrDefault(number, -1) + 1).toList();
		check(attempts.equals(tries), "came with %s at the tries %s, not %s".formatted(numbers, attempts, tries));
	}

	void done(List<Integer> numbers) {
		numbers.forEach(this.open::remove);
	}

	/** Of several that failed together nobody knows which one it was. */
	void failed(List<Integer> numbers) {
		int most = (numbers.size() > 1) ? this.maxAttempts - 1 : this.maxAttempts;
		numbers.forEach((number) -> this.open.computeIfPresent(number,
				(key, tries) -> Math.max(tries, Math.min(tries + 1, most))));
	}

	void refused(int number) {
		this.open.remove(number);
		die(number, "permanent");
	}

	private void die(int number, String reason) {
		check(isPoisoned(number), "lost %d, which is innocent, for %s".formatted(number, reason));
		this.dead.put(number, reason);
	}

	/** Returns who is dead, and why, when nothing is left to be handed out. */
	Map<Integer, String> dead() {
		this.open.forEach((number, tries) -> {
			check(tries >= this.maxAttempts, "left %d behind".formatted(number));
			die(number, "max-attempts");
		});
		this.open.clear();
		return this.dead;
	}

	private static void check(boolean holds, String problem) {
		if (!holds) {
			throw new AssertionError("A key " + problem);
		}
	}

}

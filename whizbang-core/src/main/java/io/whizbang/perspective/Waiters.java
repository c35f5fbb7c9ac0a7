package io.whizbang.perspective;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.Set;

/**
 * Who waits for an event to be applied by this instance.
 */
final class Waiters {

	private final Map<String, Set<Waiter>> waiting = new ConcurrentHashMap<>();

	Waiter await(String name, UUID stream, long version) {
		Waiter waiter = new Waiter(name, stream, version, new CountDownLatch(1));
		this.waiting.compute(name, (key, known) -> {
			Set<Waiter> waiters = (known != null) ? known : ConcurrentHashMap.newKeySet();
			waiters.add(waiter);
			return waiters;
		});
		return waiter;
	}

	void leave(Waiter waiter) {
		this.waiting.computeIfPresent(waiter.name(), (name, waiters) -> {
			waiters.remove(waiter);
			return waiters.isEmpty() ? null : waiters;
		});
	}

	boolean isAwaited(String name) {
		return this.waiting.containsKey(name);
	}

	/** Everything of the stream up to a version is applied or passed. */
	void reached(String name, UUID stream, long version) {
		Set<Waiter> waiters = this.waiting.get(name);
		if (waiters != null) {
			for (Waiter waiter : waiters) {
				if (waiter.stream().equals(stream) && waiter.version() <= version) {
					waiter.reached().countDown();
				}
			}
		}
	}

	/**
	 * Somebody who waits.
	 *
	 * @param name for which perspective
	 * @param stream for which stream
	 * @param version for which event of it
	 * @param reached open when it is there
	 */
	record Waiter(String name, UUID stream, long version, CountDownLatch reached) {

	}

}

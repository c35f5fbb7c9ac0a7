package io.whizbang.queue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.whizbang.work.DefinitionException;

/**
 * The consumers of this application, one for a queue.
 */
public final class QueueConsumers {

	private final Map<String, Consumer> byQueue = new TreeMap<>();

	synchronized void add(Consumer consumer) {
		Consumer other = this.byQueue.putIfAbsent(consumer.queue(), consumer);
		DefinitionException.check(other == null,
				() -> ("The queue \"%s\" has two consumers, %s and %s. A message goes to one of them; give each a queue "
						+ "of its own, or let one call the other")
					.formatted(consumer.queue(), (other != null) ? other.call() : "", consumer.call()));
	}

	synchronized Collection<Consumer> all() {
		return List.copyOf(this.byQueue.values());
	}

	/**
	 * Returns the queues that are consumed here.
	 * @return their names
	 */
	public synchronized List<String> queues() {
		return List.copyOf(this.byQueue.keySet());
	}

	/**
	 * Returns how many batches may be under way here at once, over all queues.
	 * @return the number
	 */
	public synchronized int concurrency() {
		return this.byQueue.values().stream().mapToInt(Consumer::concurrency).sum();
	}

}

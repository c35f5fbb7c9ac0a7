package io.whizbang.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

import io.whizbang.message.LogText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Work queues as operators see them, in the application's own database.
 */
public final class JdbcQueues implements Queues {

	private static final Logger logger = LoggerFactory.getLogger(JdbcQueues.class);

	private final JdbcQueueStore store;

	private final QueueConsumers consumers;

	private final QueueWorker worker;

	/**
	 * Creates access to the queues.
	 * @param parts what the consumption of work queues is made of
	 * @param worker is told when a queue is resumed
	 */
	public JdbcQueues(QueueParts parts, QueueWorker worker) {
		this.store = parts.store();
		this.consumers = parts.consumers();
		this.worker = worker;
	}

	@Override
	public List<QueueStatus> list(@Nullable String after, int limit) {
		checkLimit(limit);
		TreeSet<String> names = new TreeSet<>(this.store.names(after, limit));
		this.consumers.queues()
			.stream()
			.filter((name) -> after == null || name.compareTo(after) > 0)
			.forEach(names::add);
		return this.store.list(new ArrayList<>(names).subList(0, Math.min(limit, names.size())), MAX_COUNT);
	}

	@Override
	public Optional<QueueStatus> find(String queue) {
		QueueStatus status = this.store.list(List.of(queue), MAX_COUNT).get(0);
		boolean known = status.messages() + status.delayed() + status.deadLetters() + status.ready() + status.locked()
				+ status.waiting() > 0 || status.paused() || this.consumers.queues().contains(queue);
		return known ? Optional.of(status) : Optional.empty();
	}

	@Override
	public QueueTotals totals() {
		return this.store.totals(MAX_COUNT);
	}

	@Override
	public List<QueueKey> keys(String queue, int limit) {
		checkLimit(limit);
		return this.store.keys(queue, limit);
	}

	@Override
	public boolean pause(String queue, String by) {
		QueueLimits.checkQueue(queue);
		boolean paused = this.store.pause(queue, by);
		if (paused) {
			logger.info("The work queue \"{}\" was paused by {}", queue, LogText.of(by));
		}
		return paused;
	}

	@Override
	public boolean resume(String queue) {
		boolean resumed = this.store.resume(queue);
		if (resumed) {
			logger.info("The work queue \"{}\" was resumed", queue);
			this.worker.changed();
		}
		return resumed;
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_LIMIT,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_LIMIT, limit));
	}

}

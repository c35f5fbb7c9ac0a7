package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.queue.JdbcQueueStore.TakenBatch;
import io.whizbang.queue.JdbcQueueStore.Wanted;
import io.whizbang.worker.CallLeases;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the ends of batches, all those of a queue in one statement, and takes as many
 * new ones as there is room for. Rounds are made by one thread.
 */
final class QueueRounds {

	private static final Logger logger = LoggerFactory.getLogger(QueueRounds.class);

	private final QueueParts parts;

	private final Executor executor;

	private final BatchRun run;

	private final Runnable ended;

	private final CallLeases<HeldBatch> locks;

	private final ConcurrentLinkedQueue<Ended> ends = new ConcurrentLinkedQueue<>();

	private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

	private final Map<String, QueueMemory> memories = new ConcurrentHashMap<>();

	QueueRounds(QueueParts parts, Executor executor, BatchRun run, Runnable ended) {
		this.parts = parts;
		this.executor = executor;
		this.run = run;
		this.ended = ended;
		this.locks = new CallLeases<>("whizbang-queue", parts.settings().lock(), this::renew,
				(held) -> logger.warn("The consumer of {} is interrupted: its lock could not be renewed any more",
						held.batch().description()));
	}

	void start() {
		this.locks.start();
	}

	int renewalFailures() {
		return this.locks.failures();
	}

	Map<String, Integer> running() {
		Map<String, Integer> counts = new HashMap<>();
		this.running.forEach((queue, count) -> counts.put(queue, count.get()));
		return counts;
	}

	/** After a failure the database may be an older one. */
	void forget() {
		this.memories.values().forEach(QueueMemory::forget);
	}

	/** Returns how many batches were taken. */
	int round() {
		reportEnds();
		int taken = 0;
		for (Consumer consumer : this.parts.consumers().all()) {
			int room = consumer.concurrency() - count(consumer.queue()).get();
			if (room > 0) {
				taken += take(consumer, room);
			}
		}
		return taken;
	}

	/** Returns how long nothing is due by itself, or {@code null} when nothing is. */
	@Nullable Duration untilNext() {
		List<String> queues = this.parts.consumers()
			.all()
			.stream()
			.filter((consumer) -> consumer.concurrency() > count(consumer.queue()).get())
			.map(Consumer::queue)
			.toList();
		return queues.isEmpty() ? null : this.parts.store().untilNext(queues, dueFrom(queues));
	}

	/** The earliest of all; not known when it is not known of one. */
	private @Nullable Instant dueFrom(List<String> queues) {
		List<@Nullable Instant> all = queues.stream().map((queue) -> memory(queue).dueFrom()).toList();
		return all.contains(null) ? null : Collections.min(all);
	}

	private int take(Consumer consumer, int room) {
		String queue = consumer.queue();
		QueueSettings settings = this.parts.settings();
		Wanted wanted = new Wanted(room, consumer.batchSize(), settings.batchBytes(), consumer.retry().maxAttempts(),
				settings.lock(), JdbcWorkQueue.holder(this.parts.info()));
		long start = System.nanoTime();
		List<TakenBatch> batches = this.parts.store().take(queue, wanted, memory(queue));
		List<HeldBatch> held = new ArrayList<>(batches.size());
		for (TakenBatch taken : batches) {
			held.add(new HeldBatch(taken.batch(), consumer, start, settings.lock(), settings.maxLock()));
			this.parts.listener().taken(taken.batch(), taken.lateness());
		}
		held.forEach(this.locks::add);
		count(queue).addAndGet(held.size());
		Failures failures = new Failures();
		held.forEach((batch) -> failures.collect(() -> begin(batch)));
		failures.rethrow();
		return held.size();
	}

	private void begin(HeldBatch held) {
		try {
			this.executor.execute(() -> work(held));
		}
		catch (RejectedExecutionException ex) {
			end(held, Settlement.unused(held.batch(), null));
			throw ex;
		}
	}

	private void work(HeldBatch held) {
		Settlement settlement = Settlement.unused(held.batch(), null);
		try {
			if (held.begin()) {
				try {
					settlement = this.run.run(held);
				}
				finally {
					held.returned();
				}
			}
		}
		finally {
			end(held, settlement);
		}
	}

	private void end(HeldBatch held, Settlement settlement) {
		this.ends.add(new Ended(held, settlement));
		count(held.batch().queue()).decrementAndGet();
		this.ended.run();
	}

	/**
	 * Reports what has ended; says whether nothing is under way any more. What cannot be
	 * reported is kept, for as long as its lock may last: it need not come again only
	 * because the database is away for a while.
	 */
	boolean reportEnds() {
		Map<Consumer, List<Ended>> byConsumer = new HashMap<>();
		for (Ended end = this.ends.poll(); end != null; end = this.ends.poll()) {
			if (end.held().isGone() || end.held().left(System.nanoTime()) <= 0) {
				lost(end.held());
			}
			else {
				byConsumer.computeIfAbsent(end.held().consumer(), (consumer) -> new ArrayList<>()).add(end);
			}
		}
		List<Ended> unreported = new ArrayList<>();
		byConsumer.values().forEach(unreported::addAll);
		Failures failures = new Failures();
		byConsumer.forEach((consumer, ends) -> failures.collect(() -> {
			report(consumer, ends);
			unreported.removeAll(ends);
		}));
		this.ends.addAll(unreported);
		failures.rethrow();
		return this.locks.count() == 0;
	}

	private void report(Consumer consumer, List<Ended> ends) {
		Set<UUID> lost = settle(consumer, ends.stream().map(Ended::settlement).toList());
		for (Ended end : ends) {
			if (lost.contains(end.held().batch().keyId())) {
				lost(end.held());
			}
			else {
				this.locks.remove(end.held());
			}
		}
	}

	private Set<UUID> settle(Consumer consumer, List<Settlement> settlements) {
		return this.parts.store().settle(settlements, consumer.retry().maxAttempts());
	}

	private void lost(HeldBatch held) {
		this.locks.remove(held);
		logger.warn("The lock of {} was over before its end could be told; its messages come again",
				held.batch().description());
		this.parts.listener().lost(held.batch());
	}

	/** Gives back what is still under way, without counting the attempt. */
	void giveBack() {
		Collection<HeldBatch> left = new HashSet<>(this.locks.all());
		if (!left.isEmpty()) {
			logger.warn("{} batches of work queues did not end in time; they are interrupted, and come again elsewhere",
					left.size());
			Map<Consumer, List<Settlement>> byConsumer = new HashMap<>();
			left.forEach((held) -> byConsumer.computeIfAbsent(held.consumer(), (consumer) -> new ArrayList<>())
				.add(Settlement.unused(held.batch(), null)));
			try {
				Failures failures = new Failures();
				byConsumer.forEach((consumer, ends) -> failures.collect(() -> settle(consumer, ends)));
				failures.rethrow();
			}
			catch (RuntimeException ex) {
				logger.warn("The database does not answer; the batches come again when their locks end", ex);
			}
			left.forEach(HeldBatch::gone);
			left.forEach(this.locks::remove);
		}
		this.locks.stop();
	}

	private void renew(List<HeldBatch> batches, long deadline) {
		Map<UUID, Boolean> held = this.parts.store()
			.renew(batches.stream().map(HeldBatch::batch).toList(), this.parts.settings().lock());
		for (HeldBatch batch : batches) {
			Boolean renewed = held.get(batch.batch().keyId());
			if (renewed == null) {
				if (this.locks.has(batch)) {
					batch.gone();
				}
			}
			else if (renewed) {
				batch.renewed(deadline);
			}
		}
	}

	private QueueMemory memory(String queue) {
		return this.memories.computeIfAbsent(queue, (name) -> new QueueMemory());
	}

	private AtomicInteger count(String queue) {
		return this.running.computeIfAbsent(queue, (name) -> new AtomicInteger());
	}

	/** What failed of several things, each of which was tried. */
	private static final class Failures {

		private @Nullable RuntimeException first;

		void collect(Runnable step) {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				if (this.first == null) {
					this.first = ex;
				}
				else {
					this.first.addSuppressed(ex);
				}
			}
		}

		void rethrow() {
			if (this.first != null) {
				throw this.first;
			}
		}

	}

	/**
	 * A batch that has ended here.
	 *
	 * @param held the batch
	 * @param settlement what is to become of it
	 */
	private record Ended(HeldBatch held, Settlement settlement) {
	}

}

package io.whizbang.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.TransactionCheck;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.InheritedHeaders;
import io.whizbang.message.MessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.observation.MessageObservations;
import io.whizbang.queue.JdbcQueueStore.TakenBatch;
import io.whizbang.queue.JdbcQueueStore.Wanted;
import io.whizbang.work.FailureText;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Work queues in the application's own database.
 */
public final class JdbcWorkQueue implements WorkQueue, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JdbcWorkQueue.class);

	/**
	 * How long a renewal goes on while somebody else has the row of the key: whoever
	 * looks for keys may lock it for a moment, because it was free when the look began.
	 */
	private static final Duration BUSY = Duration.ofSeconds(1);

	private final TransactionalStore messages;

	private final JdbcQueueStore store;

	private final MessageCodec codec;

	private final MessageObservations observations;

	private final QueueSettings settings;

	private final WorkSignal signal;

	private final TransactionCheck check;

	private final String holder;

	private final Map<String, QueueMemory> memories = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/**
	 * Creates queues.
	 * @param messages where messages are stored
	 * @param store where they are taken from
	 * @param codec how payloads are written
	 * @param observations who observes
	 * @param settings how batches are taken
	 * @param info who this instance is
	 * @param signal who wants to know that a key is free again
	 */
	public JdbcWorkQueue(TransactionalStore messages, JdbcQueueStore store, MessageCodec codec,
			MessageObservations observations, QueueSettings settings, InstanceInfo info, WorkSignal signal) {
		this.messages = messages;
		this.store = store;
		this.codec = codec;
		this.observations = observations;
		this.settings = settings;
		this.signal = signal;
		this.check = new TransactionCheck(store.dataSource(), "end a batch", "end of the batch");
		this.holder = holder(info);
	}

	static String holder(InstanceInfo info) {
		return "%s@%s:%d".formatted(info.serviceName(), info.hostName(), info.processId());
	}

	@Override
	public List<MessageId> enqueueAll(Collection<QueueMessage> messages) {
		Assert.state(!this.closed,
				"The work queues are closed because the application shuts down; enqueue before its beans are destroyed");
		List<QueueMessage> all = List.copyOf(messages);
		if (!all.isEmpty()) {
			this.observations.enqueue(Queue.QUEUES, all.get(0).queue(), all.size(), (added) -> store(all, added));
		}
		return all.stream().map(QueueMessage::id).toList();
	}

	private void store(List<QueueMessage> messages, Map<String, String> added) {
		InheritedHeaders inherited = InheritedHeaders.with(added);
		List<NewMessage> stored = new ArrayList<>(messages.size());
		for (QueueMessage message : messages) {
			stored.add(new NewMessage(message.id(), message.queue(), message.type(), message.key(),
					inherited.and(message.headers()), this.codec.write(message.payload()), message.delay(),
					message.notBefore()));
		}
		this.messages.store(stored);
	}

	@Override
	public Optional<QueueBatch> dequeueBatch(String queue) {
		return dequeueBatch(queue, this.settings.lock());
	}

	@Override
	public Optional<QueueBatch> dequeueBatch(String queue, Duration lock) {
		QueueLimits.checkQueue(queue);
		QueueLimits.checkLock(lock);
		QueueMemory memory = this.memories.computeIfAbsent(queue, (name) -> new QueueMemory());
		Wanted wanted = new Wanted(1, this.settings.batchSize(), this.settings.batchBytes(),
				this.settings.retry().maxAttempts(), lock, this.holder);
		try {
			return this.store.take(queue, wanted, memory).stream().findFirst().map(TakenBatch::batch);
		}
		catch (RuntimeException ex) {
			memory.forget();
			throw ex;
		}
	}

	@Override
	public void ack(QueueBatch batch) {
		settle("acknowledge", Settlement.done(batch));
	}

	@Override
	public void abandon(QueueBatch batch, Duration delay, boolean ignoreAttempt) {
		QueueLimits.checkDelay(batch.queue(), delay);
		settle("abandon", ignoreAttempt ? Settlement.unused(batch, delay)
				: Settlement.failed(batch, delay, "abandoned by " + this.holder));
	}

	@Override
	public void fail(QueueBatch batch, String error) {
		settle("fail", Settlement.dead(batch, RetryPolicy.PERMANENT, FailureText.bounded(error)));
	}

	@Override
	public void renew(QueueBatch batch, Duration lock) {
		QueueLimits.checkLock(lock);
		long start = System.nanoTime();
		Boolean renewed = tryRenew(batch, lock);
		while (Boolean.FALSE.equals(renewed) && System.nanoTime() - start < BUSY.toNanos()) {
			LockSupport.parkNanos(BUSY.toNanos() / 200);
			renewed = tryRenew(batch, lock);
		}
		if (!Boolean.TRUE.equals(renewed)) {
			throw new QueueLockLostException("renew the lock of", batch);
		}
	}

	/** Returns nothing when the lock is lost. */
	private @Nullable Boolean tryRenew(QueueBatch batch, Duration lock) {
		return this.store.renew(List.of(batch), lock).get(batch.keyId());
	}

	private void settle(String action, Settlement settlement) {
		QueueBatch batch = settlement.batch();
		boolean held;
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			held = this.store.settleInTransaction(settlement, this.settings.retry().maxAttempts());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					raise(batch);
				}
			});
		}
		else {
			this.check.requireNoHiddenTransaction();
			held = this.store.settle(List.of(settlement), this.settings.retry().maxAttempts()).isEmpty();
			raise(batch);
		}
		if (!held) {
			throw new QueueLockLostException(action, batch);
		}
	}

	private void raise(QueueBatch batch) {
		try {
			this.signal.raise(Queue.QUEUES, Set.of(StreamId.partitionHash(batch.keyId())));
		}
		catch (RuntimeException ex) {
			// The batch has ended: the caller must not believe otherwise.
			logger.warn("Could not tell the workers that a key is free; they find it with their next poll", ex);
		}
	}

	/**
	 * Refuses further messages; those of transactions that are under way are still
	 * stored.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

}

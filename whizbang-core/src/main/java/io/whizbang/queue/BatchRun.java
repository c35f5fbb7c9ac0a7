package io.whizbang.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.whizbang.coordinator.Transactions;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionStatus;

/**
 * Gives batches to their consumers, and says what is to become of them.
 */
final class BatchRun {

	private static final Logger logger = LoggerFactory.getLogger(BatchRun.class);

	private static final String DESTINATION = "consumers";

	private final QueueParts parts;

	private final BooleanSupplier stopping;

	private final Transactions transactions;

	BatchRun(QueueParts parts, BooleanSupplier stopping) {
		this.parts = parts;
		this.stopping = stopping;
		this.transactions = new Transactions(parts.transactions(), "whizbang.queue");
	}

	Settlement run(HeldBatch held) {
		return held.consumer().together() ? together(held) : oneByOne(held);
	}

	private Settlement together(HeldBatch held) {
		QueueBatch batch = held.batch();
		List<QueuedMessage> messages = batch.messages();
		Throwable failure = call(held, messages);
		if (failure == null) {
			return held.consumer().transactional() ? Settlement.unused(batch, null) : Settlement.done(batch);
		}
		if (messages.size() == 1) {
			return afterFailure(held, messages.get(0), failure, List.of(), List.of());
		}
		RetryPolicy retry = held.consumer().retry();
		// Nobody knows which of them it was: none dies of it, and they come one by
		// one, at once when waiting would not help.
		int tried = messages.stream().mapToInt(QueuedMessage::attempt).max().orElse(1) - 1;
		Outcome outcome = retry.afterFailure(Math.min(tried, retry.maxAttempts() - 2), failure);
		tell(held, failure, true);
		if (outcome instanceof Outcome.Retry again) {
			return Settlement.failed(batch, again.delay(), again.error());
		}
		return Settlement.alone(batch, ((Outcome.Dead) outcome).error());
	}

	private Settlement oneByOne(HeldBatch held) {
		List<Long> done = new ArrayList<>();
		List<Settlement.Dead> dead = new ArrayList<>();
		for (QueuedMessage message : held.batch().messages()) {
			if (held.isGone() || held.isInterrupted() || (this.stopping.getAsBoolean() && !done.isEmpty())) {
				break;
			}
			Throwable failure = call(held, List.of(message));
			if (failure == null) {
				done.add(message.number());
			}
			else {
				Settlement after = afterFailure(held, message, failure, done, dead);
				if (after.failure() != null) {
					return after;
				}
				dead = new ArrayList<>(after.dead());
			}
		}
		return new Settlement(held.batch(), false, null, null, false, done, List.of(), dead);
	}

	private Settlement afterFailure(HeldBatch held, QueuedMessage message, Throwable failure, List<Long> done,
			List<Settlement.Dead> dead) {
		Outcome outcome = held.consumer().retry().afterFailure(message.attempt() - 1, failure);
		boolean again = outcome instanceof Outcome.Retry;
		tell(held, failure, again);
		if (outcome instanceof Outcome.Retry retry) {
			return new Settlement(held.batch(), false, retry.delay(), retry.error(), false, done,
					List.of(message.number()), dead);
		}
		Outcome.Dead end = (Outcome.Dead) outcome;
		List<Settlement.Dead> all = new ArrayList<>(dead);
		all.add(new Settlement.Dead(message.number(), end.reason(), end.error()));
		return new Settlement(held.batch(), false, null, null, false, done, List.of(), all);
	}

	private void tell(HeldBatch held, Throwable failure, boolean again) {
		if (again) {
			logger.warn("The consumer of {} failed; it is tried again: {}", held.batch().description(),
					failure.toString());
		}
		else {
			logger.error("The consumer of {} has failed for good", held.batch().description(), failure);
		}
		this.parts.listener().failed(held.batch(), failure, again);
	}

	private @Nullable Throwable call(HeldBatch held, List<QueuedMessage> messages) {
		Envelope first = messages.get(0).envelope();
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		long start = System.nanoTime();
		this.parts.observations().deliver(Queue.QUEUES, first, DESTINATION, () -> {
			try (CurrentMessage.Scope scope = CurrentMessage.open(first)) {
				invoke(held, messages);
				return Outcome.DONE;
			}
			catch (Throwable ex) {
				this.parts.observations().failed(ex);
				failure.set(ex);
				return held.consumer().retry().afterFailure(messages.get(0).attempt() - 1, ex);
			}
		});
		Throwable thrown = failure.get();
		if (thrown == null) {
			this.parts.listener().consumed(held.batch(), messages.size(), Duration.ofNanos(System.nanoTime() - start));
		}
		return thrown;
	}

	private void invoke(HeldBatch held, List<QueuedMessage> messages) throws Exception {
		QueueBatch batch = held.batch();
		Consumer consumer = held.consumer();
		if (!consumer.transactional()) {
			consumer.call().call(batch, messages, this.parts.codec());
			return;
		}
		Settlement part = Settlement.progress(batch, messages.stream().map(QueuedMessage::number).toList());
		TransactionStatus status = this.transactions.begin();
		this.transactions.<Exception>run(status, () -> {
			consumer.call().call(batch, messages, this.parts.codec());
			if (!this.parts.store().settleInTransaction(part, consumer.retry().maxAttempts())) {
				throw new QueueLockLostException("commit what was done for", batch);
			}
		});
	}

}

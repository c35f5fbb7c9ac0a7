package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.whizbang.handler.TopicWatch;
import io.whizbang.handler.UnroutableTopics;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.CallTimer;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Hands claimed messages of the inbox to their receptors. What a receptor does to the
 * database, what it enqueues, and the completion of the message are one transaction (G6),
 * which cannot commit when the claim was lost (G5).
 * <p>
 * Messages that are tried for the first time share transactions, with a savepoint for
 * each receptor, so that one that fails takes nobody with it. Receptors that have not
 * failed for long do without savepoints; if one does fail, the transaction is undone and
 * repeated with them. Whatever goes wrong with such a transaction as a whole, its
 * messages are handled one by one instead.
 */
public final class InboxProcessor implements WorkHandler, RetryPolicies, TopicWatch {

	private static final Logger logger = LoggerFactory.getLogger(InboxProcessor.class);

	private static final Object TOGETHER = new Object();

	private static final Duration UNREACHABLE = Duration.ofSeconds(1);

	private final Receptors receptors;

	private final InboxSettings settings;

	private final ReceptorCalls calls;

	private final HandlerTransactions transactions;

	private final HandledTogether together;

	private final HandledAlone alone;

	private final WorkListener listener;

	private final UnroutableTopics unhandled;

	private final BatchSize batchSize = new BatchSize();

	/**
	 * Creates a processor.
	 * @param receptors who takes messages
	 * @param codec how payloads are read
	 * @param settings when to try again
	 * @param transactions the transactions that receptors run in, of the database that
	 * has the messages
	 * @param messages completes messages
	 * @param observations who observes
	 * @param listener hears of messages that nobody handles
	 */
	public InboxProcessor(Receptors receptors, MessageCodec codec, InboxSettings settings,
			PlatformTransactionManager transactions, JdbcHandledMessages messages, MessageObservations observations,
			WorkListener listener) {
		this.receptors = receptors;
		this.settings = settings;
		this.calls = new ReceptorCalls(receptors, codec, settings, observations);
		this.transactions = new HandlerTransactions(transactions);
		this.together = new HandledTogether(receptors, this.calls, this.transactions, messages);
		this.alone = new HandledAlone(this.calls, this.transactions, messages);
		this.listener = listener;
		this.unhandled = new UnroutableTopics(settings.unhandledDelay(), System::nanoTime);
	}

	@Override
	public boolean isWanted() {
		return !this.receptors.isEmpty();
	}

	@Override
	public int batchLimit() {
		return this.batchSize.get();
	}

	@Override
	public @Nullable Object batchKey(Work work) {
		return isFitForCompany(work) ? TOGETHER : null;
	}

	/**
	 * A message that failed before goes alone, so that it cannot hold up others again.
	 */
	private boolean isFitForCompany(Work work) {
		List<Subscription> takers = this.receptors.find(work.envelope());
		return this.transactions.hasSavepoints() && work.attempts() == 0 && !takers.isEmpty()
				&& !Attempt.isHandledInPart(work) && takers.stream().allMatch(Subscription::isTransactional);
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		return handle(batch, CallTimer.NONE);
	}

	@Override
	public List<Outcome> handle(List<Work> batch, CallTimer timer) {
		if (!isWorthSavepoints(batch)) {
			return handleEach(batch, timer);
		}
		long start = System.nanoTime();
		List<Outcome> outcomes = handleTogether(batch, timer);
		int calls = batch.stream().mapToInt((work) -> this.receptors.find(work.envelope()).size()).sum();
		this.batchSize.took(batch.size(), calls, System.nanoTime() - start);
		return outcomes;
	}

	private boolean isWorthSavepoints(List<Work> batch) {
		return (batch.size() > 1 || this.receptors.find(batch.get(0).envelope()).size() > 1)
				&& batch.stream().allMatch(this::isFitForCompany);
	}

	private List<Outcome> handleTogether(List<Work> batch, CallTimer timer) {
		try {
			return this.together.handle(batch, timer);
		}
		catch (ClaimLostException ex) {
			return handleEach(batch, timer, ex);
		}
		catch (NoTransactionException ex) {
			return Collections.nCopies(batch.size(), unreachable(ex));
		}
		catch (RuntimeException ex) {
			logger.debug("A transaction of {} messages failed; they are handled one by one", batch.size(), ex);
			return handleEach(batch, timer);
		}
	}

	private List<Outcome> handleEach(List<Work> batch, CallTimer timer) {
		return handleEach(batch, timer, new ClaimLostException(Set.of()));
	}

	private List<Outcome> handleEach(List<Work> batch, CallTimer timer, ClaimLostException lost) {
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		try {
			Set<UUID> stopped = new HashSet<>();
			for (Work work : batch) {
				UUID stream = work.stream();
				boolean isStopped = stream != null && stopped.contains(stream);
				Outcome outcome = (isStopped || lost.isLost(work.claim().id())) ? Outcome.RELEASE
						: handleAlone(work, timer);
				outcomes.add(outcome);
				if (stream != null && Outcome.stopsTheStream(outcome)) {
					stopped.add(stream);
				}
			}
		}
		catch (NoTransactionException ex) {
			// Asking again for each of the others would take as long each time.
			outcomes.addAll(Collections.nCopies(batch.size() - outcomes.size(), unreachable(ex)));
		}
		return outcomes;
	}

	private Outcome handleAlone(Work work, CallTimer timer) {
		List<Subscription> takers = this.receptors.find(work.envelope());
		if (takers.isEmpty()) {
			return nobodyTakes(work);
		}
		this.unhandled.remove(work.envelope().topic());
		return this.alone.handle(work, takers, timer);
	}

	private static Outcome unreachable(NoTransactionException failure) {
		return new Outcome.Postpone(UNREACHABLE, String.valueOf(failure.getCause()));
	}

	private Outcome nobodyTakes(Work work) {
		this.listener.unhandled(Queue.INBOX, work);
		if (this.settings.unhandled() == InboxSettings.Unhandled.COMPLETE) {
			return Outcome.DONE;
		}
		Envelope message = work.envelope();
		String reason = "no receptor for messages of type \"%s\" on topic \"%s\"; add a @MessageHandler"
			.formatted(message.type(), message.topic());
		if (this.unhandled.add(message.topic())) {
			logger.warn("Messages wait: {}", reason);
		}
		return new Outcome.Postpone(this.settings.unhandledDelay(), reason);
	}

	@Override
	public RetryPolicy of(Work work) {
		return this.calls.policy(work);
	}

	@Override
	public Queue queue() {
		return Queue.INBOX;
	}

	@Override
	public Set<String> unroutableTopics() {
		return this.unhandled.topics();
	}

}

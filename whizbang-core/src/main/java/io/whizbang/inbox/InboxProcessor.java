package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import io.whizbang.coordinator.EntityManagers;
import io.whizbang.handler.TopicPatterns;
import io.whizbang.handler.TopicWatch;
import io.whizbang.handler.UnroutableTopics;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
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

	private final MessageCodec codec;

	private final InboxSettings settings;

	private final TopicPatterns<RetryPolicy> retries;

	private final HandlerTransactions transactions;

	private final JdbcHandledMessages messages;

	private final MessageObservations observations;

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
		this.codec = codec;
		this.settings = settings;
		this.retries = new TopicPatterns<>(settings.topicRetries());
		this.transactions = new HandlerTransactions(transactions);
		this.messages = messages;
		this.observations = observations;
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
		return this.transactions.hasSavepoints() && work.attempts() == 0 && !takers.isEmpty() && !isHandledInPart(work)
				&& takers.stream().allMatch(Subscription::isTransactional);
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
			List<Attempt> attempts = attempts(batch);
			if (attempts.stream().allMatch(Attempt::isLikelyToSucceed) && succeedAtOnce(attempts, timer)) {
				return Collections.nCopies(batch.size(), Outcome.DONE);
			}
			return handleWithSavepoints(attempts(batch), timer);
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

	private List<Attempt> attempts(List<Work> batch) {
		return batch.stream().map((work) -> new Attempt(work, this.receptors.find(work.envelope()), false)).toList();
	}

	/**
	 * Saves the savepoints, two statements for each receptor. Whatever fails, everything
	 * is undone, and who it was that failed is found out with savepoints: a statement may
	 * have failed because of what an earlier receptor left behind.
	 */
	private boolean succeedAtOnce(List<Attempt> attempts, CallTimer timer) {
		try {
			this.transactions.run(() -> {
				for (Attempt attempt : attempts) {
					for (Subscription receptor : attempt.open()) {
						call(receptor, attempt.work().envelope(), timer);
						attempt.ended(receptor, Outcome.DONE);
					}
				}
				this.messages.complete(attempts);
			});
		}
		catch (ClaimLostException | NoTransactionException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			logger.debug("One of {} messages failed; they are handled again, with savepoints", attempts.size(), ex);
			return false;
		}
		attempts.forEach(Attempt::tellReceptors);
		return true;
	}

	private List<Outcome> handleWithSavepoints(List<Attempt> attempts, CallTimer timer) {
		this.transactions.run(() -> {
			tryAll(attempts, timer);
			settle(attempts);
		});
		attempts.forEach(Attempt::tellReceptors);
		return attempts.stream().map(Attempt::outcome).toList();
	}

	private void tryAll(List<Attempt> attempts, CallTimer timer) {
		Set<UUID> stopped = new HashSet<>();
		for (Attempt attempt : attempts) {
			UUID stream = attempt.work().stream();
			if (stream != null && stopped.contains(stream)) {
				continue;
			}
			for (Subscription receptor : attempt.open()) {
				attempt.ended(receptor, outcome(attempt.work(), receptor,
						() -> this.transactions.runPart(() -> call(receptor, attempt.work().envelope(), timer))));
			}
			if (stream != null && stopsTheStream(attempt.outcome())) {
				stopped.add(stream);
			}
		}
	}

	private void settle(List<Attempt> attempts) {
		List<Attempt> complete = attempts.stream().filter(Attempt::isComplete).toList();
		List<Attempt.Entry> entries = attempts.stream().flatMap((attempt) -> attempt.entries().stream()).toList();
		if (!entries.isEmpty()) {
			this.messages.record(entries);
		}
		if (!complete.isEmpty()) {
			this.messages.complete(complete);
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
				if (stream != null && stopsTheStream(outcome)) {
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
		try {
			Attempt attempt = attempt(work);
			if (attempt == null) {
				return nobodyTakes(work);
			}
			this.unhandled.remove(work.envelope().topic());
			for (Subscription receptor : attempt.open()) {
				attempt.ended(receptor, outcome(work, receptor, () -> runAlone(attempt, receptor, timer)));
			}
			closeUnlessDone(attempt);
			attempt.tellReceptors();
			return attempt.outcome();
		}
		catch (ClaimLostException ex) {
			// Somebody else has it; nothing that happened here has taken effect.
			return Outcome.RELEASE;
		}
		catch (NoTransactionException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// What was done before for others of the batch stays done.
			return of(work).afterFailure(work.attempts(), ex);
		}
	}

	private static Outcome unreachable(NoTransactionException failure) {
		return new Outcome.Postpone(UNREACHABLE, String.valueOf(failure.getCause()));
	}

	/**
	 * Receptors without a transaction first: what they do is not undone with the others.
	 */
	private @Nullable Attempt attempt(Work work) {
		List<Subscription> takers = this.receptors.find(work.envelope());
		if (takers.isEmpty()) {
			return null;
		}
		Map<String, Boolean> recorded = new HashMap<>();
		if (isHandledInPart(work)) {
			this.transactions.run(() -> recorded.putAll(this.messages.recorded(work)));
		}
		// Who had given up before the message was revived gets it again.
		boolean revived = work.attempts() == 0;
		List<Subscription> open = takers.stream()
			.filter((receptor) -> !recorded.containsKey(receptor.name()) || revived && !recorded.get(receptor.name()))
			.sorted(Comparator.comparing(Subscription::isTransactional))
			.toList();
		return new Attempt(work, open, !revived && recorded.containsValue(false));
	}

	private void runAlone(Attempt attempt, Subscription receptor, CallTimer timer) throws Exception {
		if (receptor.isTransactional()) {
			this.transactions.run(() -> {
				call(receptor, attempt.work().envelope(), timer);
				EntityManagers.flush();
				succeeded(attempt, receptor);
			});
		}
		else {
			call(receptor, attempt.work().envelope(), timer);
			this.transactions.run(() -> succeeded(attempt, receptor));
		}
	}

	private void succeeded(Attempt attempt, Subscription receptor) {
		if (attempt.isCompleteWith(receptor)) {
			this.messages.complete(List.of(attempt));
		}
		else {
			this.messages.record(List.of(attempt.succeeded(receptor)));
			attempt.recorded();
		}
	}

	private void closeUnlessDone(Attempt attempt) {
		if (attempt.open().isEmpty() && attempt.isComplete()) {
			this.transactions.run(() -> this.messages.complete(List.of(attempt)));
		}
		List<Attempt.Entry> gaveUp = attempt.entries().stream().filter((entry) -> !entry.succeeded()).toList();
		if (!gaveUp.isEmpty()) {
			this.transactions.run(() -> this.messages.record(gaveUp));
		}
	}

	private Outcome outcome(Work work, Subscription receptor, HandlerTransactions.Step<Exception> step) {
		RetryPolicy policy = receptor.retryPolicy(configured(work));
		if (policy.isExhausted(work.attempts())) {
			return Outcome.Dead.exhausted(work);
		}
		try {
			step.run();
			return Outcome.DONE;
		}
		catch (ClaimLostException | NoTransactionException | InseparableException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			return policy.afterFailure(work.attempts(), ex);
		}
	}

	private void call(Subscription receptor, Envelope envelope, CallTimer timer) throws Exception {
		timer.begin(receptor.timeout());
		try (CurrentMessage.Scope scope = CurrentMessage.open(envelope)) {
			this.observations.handle(envelope, receptor.name(), () -> receptor.handle(envelope, this.codec));
		}
		catch (Exception ex) {
			if (timer.end()) {
				TimeoutException timeout = new TimeoutException("receptor %s took too long".formatted(receptor.name()));
				timeout.initCause(ex);
				throw timeout;
			}
			if (ex instanceof InterruptedException) {
				// The worker stops: it decides what becomes of the thread.
				Thread.currentThread().interrupt();
			}
			throw ex;
		}
		finally {
			timer.end();
		}
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

	/**
	 * Returns the retry policy of a message: that of its receptor, or of the most patient
	 * one when it has several.
	 */
	@Override
	public RetryPolicy of(Work work) {
		RetryPolicy configured = configured(work);
		return this.receptors.find(work.envelope())
			.stream()
			.map((receptor) -> receptor.retryPolicy(configured))
			.max(Comparator.comparing(RetryPolicy::maxAttempts))
			.orElse(configured);
	}

	private RetryPolicy configured(Work work) {
		RetryPolicy ofTopic = this.retries.find(work.envelope().topic());
		return (ofTopic != null) ? ofTopic : this.settings.retry();
	}

	@Override
	public Queue queue() {
		return Queue.INBOX;
	}

	@Override
	public Set<String> unroutableTopics() {
		return this.unhandled.topics();
	}

	private static boolean stopsTheStream(Outcome outcome) {
		return !(outcome instanceof Outcome.Done || outcome instanceof Outcome.Dead);
	}

	private static boolean isHandledInPart(Work work) {
		return work.envelope().header(HeaderNames.HANDLED_IN_PART) != null;
	}

}

package io.whizbang.inbox;

import java.util.Comparator;
import java.util.concurrent.TimeoutException;

import io.whizbang.coordinator.Transactions;
import io.whizbang.handler.TopicPatterns;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.CallTimer;
import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;

/**
 * Calls receptors, and says what becomes of a message when one fails.
 */
final class ReceptorCalls {

	private final Receptors receptors;

	private final MessageCodec codec;

	private final TopicPatterns<RetryPolicy> retries;

	private final RetryPolicy retry;

	private final MessageObservations observations;

	ReceptorCalls(Receptors receptors, MessageCodec codec, InboxSettings settings, MessageObservations observations) {
		this.receptors = receptors;
		this.codec = codec;
		this.retries = new TopicPatterns<>(settings.topicRetries());
		this.retry = settings.retry();
		this.observations = observations;
	}

	void call(Subscription receptor, Envelope envelope, CallTimer timer) throws Exception {
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

	/** Takes a step for a receptor, unless it has failed too often. */
	Outcome outcome(Work work, Subscription receptor, Transactions.Step<Exception> step) {
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

	/**
	 * Returns the retry policy of a message: that of its receptor, or of the most patient
	 * one when it has several.
	 */
	RetryPolicy policy(Work work) {
		RetryPolicy configured = configured(work);
		return this.receptors.find(work.envelope())
			.stream()
			.map((receptor) -> receptor.retryPolicy(configured))
			.max(Comparator.comparing(RetryPolicy::maxAttempts))
			.orElse(configured);
	}

	private RetryPolicy configured(Work work) {
		RetryPolicy ofTopic = this.retries.find(work.envelope().topic());
		return (ofTopic != null) ? ofTopic : this.retry;
	}

}

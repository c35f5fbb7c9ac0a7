package io.whizbang.join;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.worker.TransientErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Counts reports; closes joins, and enqueues what follows, in the same transaction. Used
 * by one thread.
 */
final class JoinFolds {

	private static final Logger logger = LoggerFactory.getLogger(JoinFolds.class);

	/** For what commits so late that the usual looks do not go back to it. */
	private static final long WHOLE = Duration.ofSeconds(30).toNanos();

	/** How long a join is left alone whose follow-up is refused. */
	private static final long SET_ASIDE = Duration.ofMinutes(1).toNanos();

	private final JoinParts parts;

	private final TransactionTemplate transaction;

	private final Map<JoinId, Long> setAside = new HashMap<>();

	private long from;

	private @Nullable Instant dueFrom;

	private long wholeAt;

	JoinFolds(JoinParts parts) {
		this.parts = parts;
		this.transaction = new TransactionTemplate(parts.transactions());
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.transaction.setName("whizbang-join");
		this.wholeAt = System.nanoTime();
	}

	/** Returns the joins whose follow-up is refused at present. */
	synchronized Set<JoinId> setAside() {
		return Set.copyOf(this.setAside.keySet());
	}

	/** Counts once. */
	Fold fold() {
		long now = System.nanoTime();
		if (now - this.wholeAt >= WHOLE) {
			this.wholeAt = now;
			lookAtEverything();
		}
		while (true) {
			try {
				return counted(this.transaction.execute((status) -> foldAndFollow()));
			}
			catch (RefusedException ex) {
				// The others are counted without it.
				setAside(ex, now);
			}
		}
	}

	private synchronized void lookAtEverything() {
		this.from = 0;
		this.dueFrom = null;
		this.setAside.values().removeIf((since) -> this.wholeAt - since >= SET_ASIDE);
	}

	private Fold counted(Fold fold) {
		this.from = fold.from();
		this.dueFrom = fold.dueFrom();
		if (fold.counted() > 0) {
			this.parts.listener().counted(fold.counted());
		}
		fold.closed().forEach((closed) -> this.parts.listener().closed(closed.result()));
		return fold;
	}

	private Fold foldAndFollow() {
		Fold fold = this.parts.store().fold(this.from, this.dueFrom, setAside(), this.parts.settings());
		fold.closed().forEach(this::follow);
		return fold;
	}

	private void follow(ClosedJoin closed) {
		String topic = closed.topic();
		if (topic == null) {
			return;
		}
		try {
			this.parts.outbox()
				.enqueueAll(List.of(OutboxMessage.to(topic, closed.result())
					.id(MessageId.of(closed.id().value()))
					.headers(closed.headers())
					.build()));
		}
		catch (RuntimeException ex) {
			if (TransientErrors.isTransient(ex)) {
				throw ex;
			}
			throw new RefusedException(closed, ex);
		}
	}

	private synchronized void setAside(RefusedException refusal, long now) {
		ClosedJoin closed = refusal.closed;
		Throwable cause = refusal.getCause();
		logger.error(
				"The message to \"{}\" that follows the join {} cannot be enqueued; the join stays open, next try in a minute",
				closed.topic(), closed.id(), cause);
		this.setAside.put(closed.id(), now);
		this.parts.listener().followUpFailed(closed.result(), (cause != null) ? cause : refusal);
	}

	/** The outbox does not take what follows. */
	@SuppressWarnings("serial")
	private static final class RefusedException extends RuntimeException {

		private final transient ClosedJoin closed;

		RefusedException(ClosedJoin closed, RuntimeException cause) {
			super(cause);
			this.closed = closed;
		}

	}

}

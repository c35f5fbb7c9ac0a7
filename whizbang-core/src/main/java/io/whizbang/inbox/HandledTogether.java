package io.whizbang.inbox;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.whizbang.work.CallTimer;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages in one transaction, with a savepoint for each receptor, or without
 * where none has failed for long.
 */
final class HandledTogether {

	private static final Logger logger = LoggerFactory.getLogger(HandledTogether.class);

	private final Receptors receptors;

	private final ReceptorCalls calls;

	private final HandlerTransactions transactions;

	private final JdbcHandledMessages messages;

	HandledTogether(Receptors receptors, ReceptorCalls calls, HandlerTransactions transactions,
			JdbcHandledMessages messages) {
		this.receptors = receptors;
		this.calls = calls;
		this.transactions = transactions;
		this.messages = messages;
	}

	/**
	 * Handles messages.
	 * @param batch the messages, each stream's in order
	 * @param timer bounds the calls
	 * @return what became of each
	 * @throws RuntimeException when nothing of it took effect
	 */
	List<Outcome> handle(List<Work> batch, CallTimer timer) {
		List<Attempt> attempts = attempts(batch);
		if (attempts.stream().allMatch(Attempt::isLikelyToSucceed) && succeedAtOnce(attempts, timer)) {
			return Collections.nCopies(batch.size(), Outcome.DONE);
		}
		return handleWithSavepoints(attempts(batch), timer);
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
						this.calls.call(receptor, attempt.work().envelope(), timer);
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
				attempt.ended(receptor, this.calls.outcome(attempt.work(), receptor, () -> this.transactions
					.runPart(() -> this.calls.call(receptor, attempt.work().envelope(), timer))));
			}
			if (stream != null && Outcome.stopsTheStream(attempt.outcome())) {
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

}

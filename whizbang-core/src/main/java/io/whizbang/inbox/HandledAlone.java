package io.whizbang.inbox;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.EntityManagers;
import io.whizbang.work.CallTimer;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;

/**
 * Handles a message by itself, with a transaction for each receptor.
 */
final class HandledAlone {

	private final ReceptorCalls calls;

	private final HandlerTransactions transactions;

	private final JdbcHandledMessages messages;

	HandledAlone(ReceptorCalls calls, HandlerTransactions transactions, JdbcHandledMessages messages) {
		this.calls = calls;
		this.transactions = transactions;
		this.messages = messages;
	}

	Outcome handle(Work work, List<Subscription> takers, CallTimer timer) {
		try {
			Attempt attempt = attempt(work, takers);
			for (Subscription receptor : attempt.open()) {
				attempt.ended(receptor, this.calls.outcome(work, receptor, () -> runAlone(attempt, receptor, timer)));
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
			return this.calls.policy(work).afterFailure(work.attempts(), ex);
		}
	}

	/**
	 * Receptors without a transaction first: what they do is not undone with the others.
	 */
	private Attempt attempt(Work work, List<Subscription> takers) {
		Map<String, Boolean> recorded = new HashMap<>();
		if (Attempt.isHandledInPart(work)) {
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
				this.calls.call(receptor, attempt.work().envelope(), timer);
				EntityManagers.flush();
				succeeded(attempt, receptor);
			});
		}
		else {
			this.calls.call(receptor, attempt.work().envelope(), timer);
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

}

package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;

/**
 * Several listeners that hear the same.
 */
final class WorkListeners implements WorkListener {

	private final List<WorkListener> listeners;

	private WorkListeners(List<WorkListener> listeners) {
		this.listeners = listeners;
	}

	static WorkListener of(List<WorkListener> listeners) {
		return switch (listeners.size()) {
			case 0 -> WorkListener.NONE;
			case 1 -> listeners.get(0);
			default -> new WorkListeners(listeners);
		};
	}

	@Override
	public void exchanged(Queue queue, int claimed, Duration took) {
		tell((listener) -> listener.exchanged(queue, claimed, took));
	}

	@Override
	public void roundFailed(Queue queue, Exception failure) {
		tell((listener) -> listener.roundFailed(queue, failure));
	}

	@Override
	public void ended(Queue queue, Work work, Outcome outcome) {
		tell((listener) -> listener.ended(queue, work, outcome));
	}

	@Override
	public void claimsLost(Queue queue, int count) {
		tell((listener) -> listener.claimsLost(queue, count));
	}

	@Override
	public void messagesRecovered(Queue queue, int count) {
		tell((listener) -> listener.messagesRecovered(queue, count));
	}

	@Override
	public void orphansFound(Queue queue, int count) {
		tell((listener) -> listener.orphansFound(queue, count));
	}

	@Override
	public void membersEnded(Queue queue) {
		tell((listener) -> listener.membersEnded(queue));
	}

	@Override
	public void received(Queue queue, int accepted, int duplicates, int conflicts) {
		tell((listener) -> listener.received(queue, accepted, duplicates, conflicts));
	}

	@Override
	public void unhandled(Queue queue, Work work) {
		tell((listener) -> listener.unhandled(queue, work));
	}

	private void tell(Consumer<WorkListener> event) {
		this.listeners.forEach(event);
	}

}

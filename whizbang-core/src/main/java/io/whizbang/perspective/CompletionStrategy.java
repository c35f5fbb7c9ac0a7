package io.whizbang.perspective;

import io.whizbang.event.StoredEvent;

/**
 * Decides how much is applied in one transaction. Whatever it decides, the model and the
 * note of how far it has come commit together, and what did not commit is done again.
 */
@FunctionalInterface
public interface CompletionStrategy {

	/**
	 * Says whether the transaction ends behind an event. Asked for every event that was
	 * applied; a page of events ends it in any case. Where a perspective applies many
	 * events in one call, it is asked before that call.
	 * @param event the event
	 * @param applied how many events the transaction has, with this one
	 * @return whether to commit now
	 */
	boolean endsAfter(StoredEvent event, int applied);

	/**
	 * Returns the strategy that commits a page at once.
	 * @return the strategy
	 */
	static CompletionStrategy batched() {
		return (event, applied) -> false;
	}

	/**
	 * Returns the strategy that commits every event by itself: the shortest locks, and
	 * the lowest rate.
	 * @return the strategy
	 */
	static CompletionStrategy instant() {
		return (event, applied) -> true;
	}

}

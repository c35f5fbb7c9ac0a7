package io.whizbang.event;

import java.util.List;

/**
 * Tells whoever follows the events that some were committed. Losing a signal costs time,
 * never an event.
 */
@FunctionalInterface
public interface EventSignal {

	/** Tells nobody. */
	EventSignal NONE = (appended) -> {
	};

	/**
	 * Called after commit, on the committing thread; must not block.
	 * @param appended what was appended
	 */
	void appended(List<Appended> appended);

}

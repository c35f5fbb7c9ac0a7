package io.whizbang.work;

import java.util.Collection;

/**
 * Tells the workers that messages were committed. Losing a signal costs time, never a
 * message.
 */
@FunctionalInterface
public interface WorkSignal {

	/** Tells nobody. */
	WorkSignal NONE = (queue, partitionHashes) -> {
	};

	/**
	 * Called after commit, on the committing thread; must not block.
	 * @param queue the queue that got messages
	 * @param partitionHashes the messages' partition hashes
	 */
	void raise(Queue queue, Collection<Integer> partitionHashes);

}

package io.whizbang.outbox;

import java.util.Collection;

/**
 * Finds topic handlers that are not beans themselves. Asked once, when all singletons
 * exist.
 */
@FunctionalInterface
public interface TopicHandlerFinder {

	/**
	 * Returns what was found.
	 * @return the handlers
	 */
	Collection<TopicHandler<?>> find();

}

package io.whizbang.work;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Does one kind of claimed work. Calls for different streams run in parallel; those of
 * one stream never overlap and come in order.
 */
public interface WorkHandler {

	/**
	 * Says which work may be handed over together. Work of several streams with equal
	 * keys may come in one call.
	 * @param work the work
	 * @return the key, or {@code null} when the work must be handed over alone
	 */
	@Nullable Object batchKey(Work work);

	/**
	 * Does the work. Expected failures are outcomes; an exception counts as a failure of
	 * every piece.
	 * @param batch the work, each stream's pieces in order
	 * @return what became of each, in the same order; after a failure no later piece of
	 * the same stream may be {@link Outcome.Done}
	 */
	List<Outcome> handle(List<Work> batch);

	/**
	 * Does the work, as {@link #handle(List)} does, with its own idea of how long each
	 * piece may take.
	 * @param batch the work, each stream's pieces in order
	 * @param timer interrupts pieces that take too long
	 * @return what became of each, in the same order
	 */
	default List<Outcome> handle(List<Work> batch, CallTimer timer) {
		return handle(batch);
	}

	/**
	 * Says how much work one call may get now, besides what is configured. Asked before
	 * every call.
	 * @return the limit, at least 1
	 */
	default int batchLimit() {
		return Integer.MAX_VALUE;
	}

	/**
	 * Says whether there is anybody to do the work. Asked when a worker starts; one that
	 * is not wanted leaves the queue to other instances.
	 * @return whether to start
	 */
	default boolean isWanted() {
		return true;
	}

}

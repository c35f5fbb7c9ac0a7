package io.whizbang.queue;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What operators see of work queues, and do about them.
 */
public interface Queues {

	/** So many queues or keys are listed at once at most. */
	int MAX_LIMIT = 1000;

	/** Counts end here: nobody reads a long queue to say how long it is. */
	int MAX_COUNT = 10_000;

	/**
	 * Lists queues that have messages, are paused, or have a consumer here, by name.
	 * @param after only those behind this name, or {@code null}
	 * @param limit how many at most
	 * @return the queues
	 */
	List<QueueStatus> list(@Nullable String after, int limit);

	/**
	 * Returns how a queue stands.
	 * @param queue its name
	 * @return the queue, or nothing when it is not known
	 */
	Optional<QueueStatus> find(String queue);

	/**
	 * Returns how all queues stand together, however many they are.
	 * @return the totals
	 */
	QueueTotals totals();

	/**
	 * Lists keys that are locked or wait for their next try; those first whose time comes
	 * first.
	 * @param queue name of the queue
	 * @param limit how many at most
	 * @return the keys
	 */
	List<QueueKey> keys(String queue, int limit);

	/**
	 * Has nothing of a queue handed out, by any instance, until it is resumed; what was
	 * handed out before is not affected. Messages are accepted meanwhile.
	 * @param queue name of the queue
	 * @param by who wants it
	 * @return whether it was not paused
	 */
	boolean pause(String queue, String by);

	/**
	 * Has a queue handed out again.
	 * @param queue name of the queue
	 * @return whether it was paused
	 */
	boolean resume(String queue);

}

package io.whizbang.fanout;

import java.time.Instant;
import java.util.stream.Stream;

import io.whizbang.join.NewJoin;
import org.jspecify.annotations.Nullable;

/**
 * Says which work there is to do again and again, for a topic. One of all instances asks
 * it at a time.
 */
public interface FanoutPlanner {

	/**
	 * Returns the topic, which one planner has. Its slices go to
	 * {@code fanout:topic:workKey}.
	 * @return the topic, at most 100 characters and no colon
	 */
	String topic();

	/**
	 * Returns all work that there is, whether it is due or not: that is found out from
	 * the cursors. Called, and the stream read and closed, in a read-only transaction, so
	 * that it may come from a cursor of the database and need not fit into memory.
	 * @return the candidates; one that comes twice counts once
	 */
	Stream<FanoutCandidate> candidates();

	/**
	 * Returns when it is asked, and how often slices are due.
	 * @param configured what is configured for all fan-outs
	 * @return the schedule
	 */
	default FanoutSchedule schedule(FanoutSchedule configured) {
		return configured;
	}

	/**
	 * Returns what follows when all slices of a run have ended: a join that they are
	 * members of. A run without slices has none.
	 * @param until the time that the run is for, where its windows end
	 * @return an open-ended join, which gets a key of its own, or {@code null} when
	 * nothing follows
	 */
	default @Nullable NewJoin join(Instant until) {
		return null;
	}

}

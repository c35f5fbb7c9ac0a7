package io.whizbang.fanout;

import java.util.stream.Stream;

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

}

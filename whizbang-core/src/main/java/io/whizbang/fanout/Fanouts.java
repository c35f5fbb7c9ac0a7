package io.whizbang.fanout;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The fan-outs: how they stand, how often they are due, and a way to run them now. What
 * is changed in a transaction exists if and only if that commits.
 */
public interface Fanouts {

	/** Most cursors of a page. */
	int MAX_PAGE = 1000;

	/** Stands for all work keys that have no policy of their own. */
	String ALL_WORK_KEYS = FanoutLimits.ALL;

	/**
	 * Returns the fan-outs by topic, the first thousand of them.
	 * @return the fan-outs
	 */
	List<FanoutTopic> list();

	/**
	 * Finds a fan-out.
	 * @param topic its topic
	 * @return the fan-out, if there is one
	 */
	Optional<FanoutTopic> find(String topic);

	/**
	 * Returns a page of the cursors of a fan-out, by work key and shard key.
	 * @param topic its topic
	 * @param after the last cursor of the page before, or {@code null}
	 * @param limit how many at most
	 * @return the cursors
	 */
	default List<FanoutCursor> cursors(String topic, @Nullable FanoutCursor after, int limit) {
		return cursors(topic, (after != null) ? after.workKey() : null, (after != null) ? after.shardKey() : null,
				limit);
	}

	/**
	 * Returns a page of the cursors of a fan-out, by work key and shard key.
	 * @param topic its topic
	 * @param afterWorkKey the work key to go on at, or {@code null}
	 * @param afterShardKey the shard key to go on behind, or {@code null}
	 * @param limit how many at most
	 * @return the cursors
	 */
	List<FanoutCursor> cursors(String topic, @Nullable String afterWorkKey, @Nullable String afterShardKey, int limit);

	/**
	 * Returns the policies of a fan-out.
	 * @param topic its topic
	 * @return the policies, that for {@link #ALL_WORK_KEYS} first
	 */
	List<TopicPolicy> policies(String topic);

	/**
	 * Sets a policy, instead of what the code says, from the next run on.
	 * @param topic the fan-out
	 * @param workKey the work key, or {@link #ALL_WORK_KEYS}
	 * @param policy the policy
	 */
	void setPolicy(String topic, String workKey, FanoutPolicy policy);

	/**
	 * Goes back to what the code says.
	 * @param topic the fan-out
	 * @param workKey the work key, or {@link #ALL_WORK_KEYS}
	 * @return whether a policy had been set
	 */
	boolean resetPolicy(String topic, String workKey);

	/**
	 * Asks the planner now. What is not due is not planned.
	 * @param topic the fan-out
	 */
	void runNow(String topic);

	/**
	 * Moves the cursor of a slice that was handled otherwise than by a
	 * {@link FanoutHandler}.
	 * @param slice the slice
	 * @return whether it moved; not when the window was completed already
	 */
	boolean complete(FanoutSlice slice);

	/**
	 * Forgets a fan-out that is gone, with its policies and cursors. One whose planner is
	 * still there begins anew at its next start.
	 * @param topic its topic
	 * @return whether there was one
	 */
	boolean delete(String topic);

}

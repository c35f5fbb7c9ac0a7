package io.whizbang.fanout;

import java.time.Instant;

/**
 * A policy as it is stored.
 *
 * @param workKey the work key, or {@code *} for all that have no policy of their own
 * @param policy the policy
 * @param edited whether it was set at run time, rather than by the code
 * @param updatedAt when it was written last
 */
public record TopicPolicy(String workKey, FanoutPolicy policy, boolean edited, Instant updatedAt) {
}

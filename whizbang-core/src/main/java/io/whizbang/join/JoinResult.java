package io.whizbang.join;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the message says that follows when a join is closed.
 *
 * @param join identity of the join
 * @param key name of the join, or {@code null}
 * @param status why it was closed
 * @param expected how many members it waited for
 * @param done how many of them are done
 * @param failed how many have failed
 * @param metadata what it was started with
 */
public record JoinResult(String join, @Nullable String key, JoinStatus status, int expected, int done, int failed,
		Map<String, String> metadata) {

	/**
	 * Returns how many members had not ended.
	 * @return how many
	 */
	public int missing() {
		return this.expected - this.done - this.failed;
	}

}

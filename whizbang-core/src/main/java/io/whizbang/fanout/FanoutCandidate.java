package io.whizbang.fanout;

import java.util.Map;

/**
 * Work that could be due: one kind of work for one shard. It is looked at when it is
 * planned and not here, so that a wrong one does not end the stream that it comes from.
 *
 * @param shardKey whose work, such as a tenant; at most 256 characters
 * @param workKey which work; at most 100 characters
 * @param headers what travels with the slice, if it is due
 */
public record FanoutCandidate(String shardKey, String workKey, Map<String, String> headers) {

	/**
	 * Creates a candidate whose slice has no headers.
	 * @param shardKey whose work
	 * @param workKey which work
	 */
	public FanoutCandidate(String shardKey, String workKey) {
		this(shardKey, workKey, Map.of());
	}

}

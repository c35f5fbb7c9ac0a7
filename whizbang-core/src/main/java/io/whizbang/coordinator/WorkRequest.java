package io.whizbang.coordinator;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * How much more work the caller can take.
 *
 * @param limit how many messages at most; 0 claims nothing
 * @param concurrency how many messages the caller works on at once: if it dies, so many
 * may be the reason and have an attempt counted
 * @param steal whether messages of another instance's share may be taken
 * @param behindOwn whether to claim messages of streams of which the caller holds earlier
 * ones: whoever asks for it works on all of its claims in their order, and stops a stream
 * of which something goes back until that is reported
 * @param memory what the last exchange of this instance and queue told to remember;
 * without it every claim starts at the low end of the queue, so that a long line of a
 * claimed stream may keep it from what stands behind
 */
public record WorkRequest(int limit, int concurrency, boolean steal, boolean behindOwn, @Nullable String memory) {

	public WorkRequest {
		Assert.isTrue(limit >= 0, () -> "limit must not be negative but is " + limit);
		Assert.isTrue(concurrency > 0, () -> "concurrency must be above 0 but is " + concurrency);
	}

	public static WorkRequest nothing(@Nullable String memory) {
		return new WorkRequest(0, 1, false, false, memory);
	}

	public static WorkRequest upTo(int limit, @Nullable String memory) {
		return new WorkRequest(limit, Math.max(limit, 1), false, false, memory);
	}

}

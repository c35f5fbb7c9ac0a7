package io.whizbang.coordinator;

import org.jspecify.annotations.Nullable;

/**
 * How much more work the caller can take.
 *
 * @param limit how many messages at most; 0 claims nothing
 * @param steal whether messages of another instance's share may be taken
 * @param memory what the last exchange of this instance and queue told to remember;
 * without it the claim is as right, only slower
 */
public record WorkRequest(int limit, boolean steal, @Nullable String memory) {

	public static WorkRequest nothing(@Nullable String memory) {
		return new WorkRequest(0, false, memory);
	}

	public static WorkRequest upTo(int limit, @Nullable String memory) {
		return new WorkRequest(limit, false, memory);
	}

}

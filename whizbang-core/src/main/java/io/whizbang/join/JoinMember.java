package io.whizbang.join;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a join waits for.
 *
 * @param name its name: what it was attached by, which for a message is its identity
 * @param outcome what became of it
 * @param late whether it reported when the join was closed already
 * @param attachedAt when it was attached
 * @param reportedAt when it reported, or {@code null}
 * @param reason why it failed, or {@code null}
 */
public record JoinMember(String name, Outcome outcome, boolean late, Instant attachedAt, @Nullable Instant reportedAt,
		@Nullable String reason) {

	/** What became of a member. */
	public enum Outcome {

		/** It has not reported, or that is not counted yet. */
		PENDING,

		/** It is done. */
		DONE,

		/** It has failed. */
		FAILED;

		static Outcome of(int number) {
			return switch (number) {
				case 0 -> PENDING;
				case 1 -> DONE;
				case 2 -> FAILED;
				default -> throw new IllegalArgumentException("There is no outcome %d of members".formatted(number));
			};
		}

	}

}

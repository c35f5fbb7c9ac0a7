package io.whizbang.inbox;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Whether a message is the caller's to handle.
 *
 * @param status the answer
 * @param token the proof, when the message is {@link Status#NEW}, else {@code null}
 */
public record GuardAnswer(Status status, @Nullable GuardToken token) {

	public GuardAnswer {
		Assert.isTrue((status == Status.NEW) == (token != null), "Who gets a message, and only who, has a token");
	}

	/**
	 * Returns the proof.
	 * @return the token
	 * @throws IllegalStateException when the message is not the caller's
	 */
	public GuardToken requireToken() {
		if (this.token == null) {
			throw new IllegalStateException("The message is not the caller's: it is " + this.status);
		}
		return this.token;
	}

	/** What a caller may hear. */
	public enum Status {

		/** The message is the caller's. */
		NEW,

		/** Another caller works on it. */
		IN_PROGRESS,

		/** It has been handled. */
		DONE,

		/** It will never succeed. */
		DEAD,

		/** Another message with the same identity was seen before. */
		CONFLICT

	}

}

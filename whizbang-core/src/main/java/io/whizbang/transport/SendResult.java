package io.whizbang.transport;

import org.jspecify.annotations.Nullable;

/**
 * What became of one message that was to be sent.
 *
 * @param status the result
 * @param failure why it was not sent, or {@code null}
 */
public record SendResult(Status status, @Nullable Exception failure) {

	private static final SendResult SENT = new SendResult(Status.SENT, null);

	private static final SendResult NOT_SENT = new SendResult(Status.NOT_SENT, null);

	/**
	 * Returns the result of a message that the other side has.
	 * @return the result
	 */
	public static SendResult sent() {
		return SENT;
	}

	/**
	 * Returns the result of a message that was not tried, because an earlier one of its
	 * stream failed.
	 * @return the result
	 */
	public static SendResult notSent() {
		return NOT_SENT;
	}

	public static SendResult failed(Exception failure) {
		return new SendResult(Status.FAILED, failure);
	}

	/**
	 * Returns the result of a message that could not be tried because the other side
	 * cannot be reached; no attempt counts.
	 * @param failure why
	 * @return the result
	 */
	public static SendResult unreachable(Exception failure) {
		return new SendResult(Status.UNREACHABLE, failure);
	}

	/** The kinds of results. */
	public enum Status {

		/** The other side has it. */
		SENT,

		/** It was not tried. */
		NOT_SENT,

		/** It was tried and failed; the attempt counts. */
		FAILED,

		/** The other side cannot be reached; no attempt counts. */
		UNREACHABLE

	}

}

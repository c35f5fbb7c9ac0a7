package io.whizbang.work;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows that its work can never succeed: the message goes to the
 * dead letters at once.
 */
public class PermanentFailureException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public PermanentFailureException(String message) {
		this(message, null);
	}

	public PermanentFailureException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

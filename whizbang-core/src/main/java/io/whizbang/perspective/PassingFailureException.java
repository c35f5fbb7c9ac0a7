package io.whizbang.perspective;

/**
 * Something failed that is no event's fault; it is done again after a pause.
 */
final class PassingFailureException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	PassingFailureException(Throwable cause) {
		super(cause);
	}

}

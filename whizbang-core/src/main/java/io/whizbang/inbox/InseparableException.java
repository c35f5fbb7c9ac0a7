package io.whizbang.inbox;

/**
 * A receptor failed that wants to do something after the commit of a transaction which it
 * shares with others: nothing undoes that without them.
 */
final class InseparableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	InseparableException(Throwable cause) {
		super(cause);
	}

}

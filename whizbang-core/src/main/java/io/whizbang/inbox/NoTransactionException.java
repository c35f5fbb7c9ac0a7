package io.whizbang.inbox;

/**
 * A transaction could not even begin, most likely because the database is away: nothing
 * was tried.
 */
final class NoTransactionException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoTransactionException(RuntimeException cause) {
		super(cause);
	}

}

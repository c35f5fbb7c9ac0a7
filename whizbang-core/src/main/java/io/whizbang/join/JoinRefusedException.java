package io.whizbang.join;

/**
 * A join does not take what it was given: it is closed, has all its members, or does not
 * exist.
 */
@SuppressWarnings("serial")
public final class JoinRefusedException extends IllegalStateException {

	public JoinRefusedException(String message) {
		super(message);
	}

}

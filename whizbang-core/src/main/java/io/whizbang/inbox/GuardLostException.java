package io.whizbang.inbox;

/**
 * A message was handled by a holder whose lease had ended and who has a successor: what
 * it did must not take effect.
 */
public class GuardLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public GuardLostException(String message) {
		super(message);
	}

}

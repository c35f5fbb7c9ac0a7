package io.whizbang.outbox;

/**
 * A route leads to a transport that the application does not have.
 */
public class UnknownTransportException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	public UnknownTransportException(String message) {
		super(message);
	}

}

package io.whizbang.sample.payment;

/**
 * Thrown when the card network cannot be understood.
 */
@SuppressWarnings("serial")
final class CardNetworkException extends RuntimeException {

	CardNetworkException(String message) {
		super(message);
	}

}

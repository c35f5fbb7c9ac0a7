package io.whizbang.fanout;

/**
 * Another coordinator has taken over a topic, or this one is to stop: its run goes on
 * elsewhere.
 */
final class FanoutLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	FanoutLostException(String message) {
		super(message);
	}

}

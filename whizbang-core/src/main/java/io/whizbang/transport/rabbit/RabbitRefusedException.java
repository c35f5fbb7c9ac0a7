package io.whizbang.transport.rabbit;

import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ was reached and did not take a message.
 */
public class RabbitRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public RabbitRefusedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

package io.whizbang.message;

import org.jspecify.annotations.Nullable;

/**
 * A payload that cannot be written as JSON, or JSON that does not fit the wanted type.
 */
public class PayloadException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public PayloadException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

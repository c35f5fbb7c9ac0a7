package io.whizbang.transport;

import org.jspecify.annotations.Nullable;

/**
 * Something that came from a broker and cannot become a message, however often it is
 * tried.
 */
public class MalformedEventException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	public MalformedEventException(String message) {
		this(message, null);
	}

	public MalformedEventException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

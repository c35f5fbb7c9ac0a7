package io.whizbang.work;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Something that the application defines is wrong, so it must not start: two handlers
 * with one name, a cron expression that nobody can read.
 */
public final class DefinitionException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong, and what to do about it
	 */
	public DefinitionException(String message) {
		this(message, null);
	}

	/**
	 * Creates an exception.
	 * @param message what is wrong, and what to do about it
	 * @param cause why, or {@code null}
	 */
	public DefinitionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	/**
	 * Refuses a definition unless it is right.
	 * @param right whether it is
	 * @param message what is wrong, and what to do about it
	 */
	public static void check(boolean right, Supplier<String> message) {
		if (!right) {
			throw new DefinitionException(message.get());
		}
	}

}

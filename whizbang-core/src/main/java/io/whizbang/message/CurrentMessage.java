package io.whizbang.message;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The message that the current thread handles, so that messages emitted meanwhile carry
 * on its correlation.
 */
public final class CurrentMessage {

	private static final ThreadLocal<@Nullable Envelope> CURRENT = new ThreadLocal<>();

	private CurrentMessage() {
	}

	/**
	 * Returns the message that the current thread handles.
	 * @return the message, or {@code null} when it handles none
	 */
	public static @Nullable Envelope get() {
		return CURRENT.get();
	}

	/**
	 * Returns what ties whatever is emitted now to the message that the current thread
	 * handles.
	 * @return correlation and causation, or nothing when it handles none
	 */
	public static Map<String, String> lineage() {
		Envelope cause = CURRENT.get();
		if (cause == null) {
			return Map.of();
		}
		String correlationId = cause.header(HeaderNames.CORRELATION_ID);
		return Map.of(HeaderNames.CORRELATION_ID, (correlationId != null) ? correlationId : cause.id().toString(),
				HeaderNames.CAUSATION_ID, cause.id().toString());
	}

	/**
	 * Makes a message the current one until the scope is closed, on the same thread.
	 * @param message the message
	 * @return the scope
	 */
	public static Scope open(Envelope message) {
		Envelope before = CURRENT.get();
		CURRENT.set(message);
		return () -> {
			if (before != null) {
				CURRENT.set(before);
			}
			else {
				CURRENT.remove();
			}
		};
	}

	/**
	 * The time in which a message is the current one.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}

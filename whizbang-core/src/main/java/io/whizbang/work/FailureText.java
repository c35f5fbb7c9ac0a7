package io.whizbang.work;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells a failure in a text short enough to be stored with its message: the messages of
 * all causes first, then where it happened.
 */
public final class FailureText {

	static final int MAX_BYTES = 8 * 1024;

	private static final int MAX_CAUSES = 20;

	private static final int MAX_FRAMES = 30;

	private FailureText() {
	}

	/**
	 * Tells a failure.
	 * @param failure the failure
	 * @return the text
	 */
	public static String of(Throwable failure) {
		String chain = causes(failure).map(Throwable::toString).collect(Collectors.joining("\nCaused by: "));
		String frames = Stream.of(root(failure).getStackTrace())
			.limit(MAX_FRAMES)
			.map((frame) -> "\n\tat " + frame)
			.collect(Collectors.joining());
		// PostgreSQL's text cannot hold the character 0.
		return cut((chain + frames).replace("\0", ""));
	}

	/**
	 * A failure and its causes, outermost first; ends also when the causes go in circles.
	 */
	static Stream<Throwable> causes(Throwable failure) {
		return Stream.<Throwable>iterate(failure, (cause) -> cause != null, Throwable::getCause).limit(MAX_CAUSES);
	}

	private static Throwable root(Throwable failure) {
		return causes(failure).reduce(failure, (outer, inner) -> inner);
	}

	private static String cut(String text) {
		int end = Math.min(text.length(), MAX_BYTES);
		int excess = text.substring(0, end).getBytes(StandardCharsets.UTF_8).length - MAX_BYTES;
		// A char takes three bytes at most, so this never cuts more than it must.
		while (excess > 0) {
			end -= (excess + 2) / 3;
			excess = text.substring(0, end).getBytes(StandardCharsets.UTF_8).length - MAX_BYTES;
		}
		if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		return text.substring(0, end);
	}

}

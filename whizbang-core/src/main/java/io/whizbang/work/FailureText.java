package io.whizbang.work;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells a failure in a text short enough to be stored with its message: the messages of
 * all causes first, then where it happened. However long the others are, the root cause
 * and where it happened are told.
 */
public final class FailureText {

	/** How long a text is at most, in UTF-8. */
	public static final int MAX_BYTES = 16 * 1024;

	private static final int MAX_CAUSES = 20;

	private static final int MAX_FRAMES = 30;

	private static final int MAX_OUTER_BYTES = 6 * 1024;

	private static final int MAX_ROOT_BYTES = 4 * 1024;

	private static final String CAUSED_BY = "\nCaused by: ";

	private static final String CUT = " …";

	private FailureText() {
	}

	/**
	 * Tells a failure.
	 * @param failure the failure
	 * @return the text
	 */
	public static String of(Throwable failure) {
		List<Throwable> causes = causes(failure).toList();
		Throwable root = causes.get(causes.size() - 1);
		String outer = causes.subList(0, causes.size() - 1)
			.stream()
			.map((cause) -> cause + CAUSED_BY)
			.collect(Collectors.joining());
		String frames = Stream.of(root.getStackTrace())
			.limit(MAX_FRAMES)
			.map((frame) -> "\n\tat " + frame)
			.collect(Collectors.joining());
		return bounded(shortened(outer, MAX_OUTER_BYTES, CUT + CAUSED_BY)
				+ shortened(root.toString(), MAX_ROOT_BYTES, CUT) + frames);
	}

	/**
	 * Makes a text storable: PostgreSQL takes any character but one, and nobody reads a
	 * long one.
	 * @param text the text
	 * @return the text or its beginning
	 */
	public static String bounded(String text) {
		return shortened(text, MAX_BYTES, CUT).replace('\0', '\uFFFD');
	}

	/**
	 * A failure and its causes, outermost first; ends also when the causes go in circles.
	 */
	static Stream<Throwable> causes(Throwable failure) {
		return Stream.<Throwable>iterate(failure, (cause) -> cause != null, Throwable::getCause).limit(MAX_CAUSES);
	}

	/**
	 * Cuts a text that is too long, and ends it with a sign of that. A replaced character
	 * takes three bytes, so it counts as three.
	 */
	private static String shortened(String text, int maxBytes, String ending) {
		if (bytes(text) <= maxBytes) {
			return text;
		}
		int room = maxBytes - bytes(ending);
		int end = 0;
		int used = 0;
		while (end < text.length()) {
			int character = text.codePointAt(end);
			used += bytes(character);
			if (used > room) {
				break;
			}
			end += Character.charCount(character);
		}
		return text.substring(0, end) + ending;
	}

	private static int bytes(String text) {
		return text.codePoints().map(FailureText::bytes).sum();
	}

	private static int bytes(int character) {
		if (character == 0) {
			return bytes('\uFFFD');
		}
		return (character < 0x80) ? 1 : (character < 0x800) ? 2 : (character < 0x10000) ? 3 : 4;
	}

}

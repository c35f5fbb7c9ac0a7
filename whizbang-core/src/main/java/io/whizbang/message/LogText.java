package io.whizbang.message;

/**
 * What others have sent, made fit for a line of the log: nobody forges lines with breaks
 * in an identity, or fills the log with a long one.
 */
public final class LogText {

	private static final int MAX = 200;

	private LogText() {
	}

	/**
	 * Returns a text without control characters, and not longer than is useful.
	 * @param text the text
	 * @return what may be logged
	 */
	public static String of(String text) {
		String shown = (text.length() > MAX) ? text.substring(0, MAX) + "..." : text;
		return shown.codePoints()
			.map((character) -> isHarmless(character) ? character : '?')
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	private static boolean isHarmless(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				false;
			default -> true;
		};
	}

}

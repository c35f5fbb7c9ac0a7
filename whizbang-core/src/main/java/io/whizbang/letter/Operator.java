package io.whizbang.letter;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Who decides about dead letters, for the audit.
 *
 * @param name who
 * @param note why, or {@code null}
 */
public record Operator(String name, @Nullable String note) {

	private static final int MAX_NAME = 255;

	private static final int MAX_NOTE = 2000;

	public Operator {
		Assert.hasText(name, "The name of an operator must not be blank: the audit says who replays and discards");
		check("name", name, MAX_NAME);
		if (note != null) {
			check("note", note, MAX_NOTE);
		}
	}

	public static Operator named(String name) {
		return new Operator(name, null);
	}

	public Operator noting(String note) {
		return new Operator(this.name, note);
	}

	private static void check(String what, String text, int limit) {
		Assert.isTrue(text.length() <= limit, () -> "The %s of an operator has %d characters, more than %d; shorten it"
			.formatted(what, text.length(), limit));
		Assert.isTrue(text.indexOf('\0') < 0,
				() -> "The %s of an operator contains the character U+0000, which PostgreSQL cannot store; remove it"
					.formatted(what));
	}

}

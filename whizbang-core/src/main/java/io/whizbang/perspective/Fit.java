package io.whizbang.perspective;

import org.jspecify.annotations.Nullable;

/**
 * How something fits a type of event.
 *
 * @param kind in which way
 * @param type the class that fits, when it fits by class
 * @param letters how many letters a pattern has that fits
 */
record Fit(Kind kind, @Nullable Class<?> type, long letters) {

	static Fit exact() {
		return new Fit(Kind.STORED_NAME, null, 0);
	}

	static Fit byClass(Class<?> type) {
		return new Fit(Kind.CLASS, type, 0);
	}

	static Fit bySimpleName() {
		return new Fit(Kind.SIMPLE_NAME, null, 0);
	}

	static Fit byPattern(String pattern) {
		return new Fit(Kind.PATTERN, null, pattern.chars().filter((letter) -> letter != '*').count());
	}

	/** Whether it fits better; of two, perhaps neither does. */
	boolean isBetterThan(Fit other) {
		if (this.kind != other.kind) {
			return this.kind.compareTo(other.kind) < 0;
		}
		if (this.type != null && other.type != null) {
			return this.type != other.type && other.type.isAssignableFrom(this.type);
		}
		return this.letters > other.letters;
	}

	/** The ways to fit, the best one first. */
	enum Kind {

		STORED_NAME, CLASS, SIMPLE_NAME, PATTERN

	}

}

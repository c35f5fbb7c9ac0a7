package io.whizbang.timer;

import java.time.Instant;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

/**
 * A place in the list of pending timers. As text: the time and a number, such as
 * {@code 2026-01-31T12:00:00Z,17}.
 *
 * @param due the time
 * @param number tells those of one time apart
 */
record TimerPlace(Instant due, long number) {

	static @Nullable TimerPlace parse(@Nullable String text) {
		if (text == null) {
			return null;
		}
		int comma = text.indexOf(',');
		try {
			return new TimerPlace(Instant.parse(text.substring(0, Math.max(comma, 0))),
					Long.parseLong(text.substring(comma + 1)));
		}
		catch (DateTimeParseException | NumberFormatException ex) {
			throw new IllegalArgumentException(
					"The place to go on after must be what the last page gave as next but is \"%s\"".formatted(text),
					ex);
		}
	}

	@Override
	public String toString() {
		return this.due + "," + this.number;
	}

}

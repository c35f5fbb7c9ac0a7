package io.whizbang.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import io.whizbang.letter.Operator;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.convert.DurationStyle;

/**
 * Reads parameters; Boot would refuse a wrong one without a word to the caller.
 */
final class Input {

	private static final int DEFAULT_LIMIT = 50;

	private Input() {
	}

	static long letter(String text) {
		return number("number of a dead letter", text);
	}

	static long version(String text) {
		return number("version of an event", text);
	}

	/** Boot's endpoints take no arrays. */
	static List<Long> letters(String text) {
		return Arrays.stream(text.split(",")).map((id) -> letter(id.strip())).toList();
	}

	static @Nullable Long before(@Nullable String text) {
		return (text != null) ? number("parameter before", text) : null;
	}

	static int limit(@Nullable String text) {
		return (text != null) ? (int) Math.min(number("parameter limit", text), Integer.MAX_VALUE) : DEFAULT_LIMIT;
	}

	private static long number(String what, String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("The %s must be a whole number but is '%s'".formatted(what, text), ex);
		}
	}

	/** Who is logged in cannot say to be somebody else. */
	static Operator operator(@Nullable String who, @Nullable String note, SecurityContext security) {
		Principal principal = security.getPrincipal();
		if (principal != null) {
			return new Operator(principal.getName(), note);
		}
		return new Operator((who != null) ? who : "anonymous", note);
	}

	static @Nullable Queue queue(@Nullable String text) {
		if (text == null) {
			return null;
		}
		return Arrays.stream(Queue.values())
			.filter((queue) -> queue.label().equals(text))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("The queue must be one of %s but is '%s'"
				.formatted(Arrays.stream(Queue.values()).map(Queue::label).toList(), text)));
	}

	static @Nullable StreamId stream(@Nullable String text) {
		return (text != null) ? StreamId.of(text) : null;
	}

	static @Nullable MessageId messageId(@Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			return MessageId.of(UUID.fromString(text));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The parameter messageId must be a UUID but is '%s'".formatted(text),
					ex);
		}
	}

	static Duration duration(String what, @Nullable String text) {
		try {
			return DurationStyle.detectAndParse(String.valueOf(text));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The parameter %s must be a duration such as 10m or PT10M but is '%s'".formatted(what, text), ex);
		}
	}

	static @Nullable Instant time(String what, @Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			return OffsetDateTime.parse(text).toInstant();
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"The parameter %s must be a time with offset, as 2026-01-31T12:00:00Z, but is '%s'".formatted(what,
							text),
					ex);
		}
	}

}

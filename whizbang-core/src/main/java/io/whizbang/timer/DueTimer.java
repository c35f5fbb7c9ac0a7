package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A timer that has fired, as its handler sees it.
 *
 * @param id identity, also that of the message
 * @param key the name under which the application knew it, or {@code null}
 * @param due when it was to fire
 * @param firedAt when it fired, by the database's clock like all times
 * @param lateness how much too late that was: since it was due or, if that is later,
 * since it was scheduled
 */
public record DueTimer(TimerId id, @Nullable String key, Instant due, Instant firedAt, Duration lateness) {

	/**
	 * Says whether a message comes from a timer.
	 * @param envelope the message
	 * @return whether it does
	 */
	public static boolean isIn(Envelope envelope) {
		return envelope.header(HeaderNames.TIMER_ID) != null;
	}

	/**
	 * Reads what a message tells about its timer.
	 * @param envelope the message
	 * @return the timer
	 * @throws IllegalArgumentException when it does not come from one
	 */
	public static DueTimer of(Envelope envelope) {
		String id = envelope.header(HeaderNames.TIMER_ID);
		String due = envelope.header(HeaderNames.TIMER_DUE);
		Assert.isTrue(id != null && due != null,
				() -> "The message %s to topic \"%s\" does not come from a timer; leave out the parameter DueTimer, or do not send others there"
					.formatted(envelope.id(), envelope.topic()));
		return new DueTimer(TimerId.of(UUID.fromString(id)), envelope.header(HeaderNames.TIMER_KEY), Instant.parse(due),
				envelope.createdAt(), lateness(envelope.header(HeaderNames.TIMER_LATE)));
	}

	private static Duration lateness(@Nullable String micros) {
		return (micros != null) ? Duration.ofNanos(Long.parseLong(micros) * 1000) : Duration.ZERO;
	}

}

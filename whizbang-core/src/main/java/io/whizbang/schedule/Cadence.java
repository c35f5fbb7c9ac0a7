package io.whizbang.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * When something happens again and again: at the times of a cron expression, or after an
 * interval.
 */
public final class Cadence {

	private static final Duration SHORTEST = Duration.ofMillis(100);

	private static final Duration LONGEST = Duration.ofDays(366);

	private static final Duration FIRST_LOOK = Duration.ofMinutes(1);

	private final @Nullable Times times;

	private final @Nullable Duration every;

	private Cadence(@Nullable Times times, @Nullable Duration every) {
		this.times = times;
		this.every = every;
	}

	/**
	 * Reads a cadence.
	 * @param cron the expression, or {@code null}
	 * @param every the interval, or {@code null}
	 * @param zone the time zone's name
	 * @return the cadence; without an expression and an interval, it has no times
	 * @throws IllegalArgumentException when something is wrong with any of them
	 */
	public static Cadence of(@Nullable String cron, @Nullable Duration every, String zone) {
		ZoneId zoneId = zone(zone);
		Assert.isTrue(cron == null || every == null, "Give a cron expression or an interval, not both");
		Assert.isTrue(every == null || (every.compareTo(SHORTEST) >= 0 && every.compareTo(LONGEST) <= 0),
				() -> "The interval must be between %s and %s but is %s".formatted(SHORTEST, LONGEST, every));
		return new Cadence((cron != null) ? CronTimes.of(cron, zoneId) : null, every);
	}

	private static ZoneId zone(String zone) {
		try {
			return ZoneId.of(zone);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(
					"The time zone \"%s\" is not known here; use a name such as Europe/Berlin, or an offset such as +02:00"
						.formatted(zone),
					ex);
		}
	}

	/**
	 * Returns the first time after an instant, for something that begins there.
	 * @param instant the instant
	 * @return the time, or {@code null} when there is none
	 */
	public @Nullable Instant after(Instant instant) {
		if (this.every != null) {
			return instant.plus(this.every);
		}
		return (this.times != null) ? this.times.after(instant) : null;
	}

	/**
	 * Returns what has come due.
	 * @param first the time that was expected
	 * @param now the present, not before it
	 * @param most how many times to tell
	 * @return the latest times up to now, and the next one
	 */
	public Due due(Instant first, Instant now, int most) {
		if (this.every != null) {
			return due(first, now, most, this.every);
		}
		Duration look = FIRST_LOOK;
		while (true) {
			Instant from = now.minus(look);
			boolean all = !from.isAfter(first);
			Deque<Instant> latest = latest(all ? first : from, now, most);
			if (all && latest.size() < most) {
				// It was due, whatever the rules of its zone have become since.
				latest.addFirst(first);
			}
			if (all || latest.size() >= most) {
				return new Due(List.copyOf(latest), latest.getFirst().isAfter(first), after(now));
			}
			look = look.multipliedBy(4);
		}
	}

	private Deque<Instant> latest(Instant from, Instant now, int most) {
		Deque<Instant> latest = new ArrayDeque<>();
		Instant time = after(from);
		while (time != null && !time.isAfter(now)) {
			latest.addLast(time);
			if (latest.size() > most) {
				latest.removeFirst();
			}
			time = after(time);
		}
		return latest;
	}

	private static Due due(Instant first, Instant now, int most, Duration every) {
		long passed = Duration.between(first, now).dividedBy(every);
		long oldest = Math.max(0, passed - most + 1);
		Deque<Instant> latest = new ArrayDeque<>();
		for (long i = oldest; i <= passed; i++) {
			latest.addLast(first.plus(every.multipliedBy(i)));
		}
		return new Due(List.copyOf(latest), oldest > 0, first.plus(every.multipliedBy(passed + 1)));
	}

	/** Tells times. */
	@FunctionalInterface
	interface Times {

		@Nullable Instant after(Instant instant);

	}

	/**
	 * What has come due.
	 *
	 * @param times the latest times, the oldest first
	 * @param older whether there are older ones
	 * @param next the next time, or {@code null} when there is none
	 */
	public record Due(List<Instant> times, boolean older, @Nullable Instant next) {

		public Instant latest() {
			return this.times.get(this.times.size() - 1);
		}

	}

}

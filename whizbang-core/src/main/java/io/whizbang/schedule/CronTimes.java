package io.whizbang.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The times of a cron expression in a time zone.
 * <p>
 * An expression tells local times. One that does not exist, because clocks go forward,
 * stands for the first instant after the gap. One that exists twice, because clocks go
 * back, stands for the first of both; but an expression for every hour tells an interval
 * rather than a time of day, and goes on through the hour that comes twice.
 */
final class CronTimes implements Cadence.Times {

	private static final int FIELDS = 6;

	private final CronExpression expression;

	private final ZoneRules rules;

	private final boolean everyHour;

	private CronTimes(CronExpression expression, ZoneRules rules, boolean everyHour) {
		this.expression = expression;
		this.rules = rules;
		this.everyHour = everyHour;
	}

	/**
	 * Reads an expression.
	 * @param cron five fields, six fields, or a macro
	 * @param zone whose local times it tells
	 * @return its times
	 * @throws IllegalArgumentException when it is none, or tells no time
	 */
	static CronTimes of(String cron, ZoneId zone) {
		String text = cron.strip();
		String[] fields = StringUtils.tokenizeToStringArray(text, " \t");
		if (fields.length == FIELDS - 1) {
			text = "0 " + text;
			fields = StringUtils.tokenizeToStringArray(text, " \t");
		}
		boolean everyHour = text.equals("@hourly") || fields.length == FIELDS && fields[2].equals("*");
		CronTimes times = new CronTimes(parse(cron, text), zone.getRules(), everyHour);
		if (times.after(Instant.EPOCH) == null) {
			throw new IllegalArgumentException(
					"The cron expression \"%s\" tells no time at all; check its day and month".formatted(cron));
		}
		return times;
	}

	private static CronExpression parse(String cron, String text) {
		try {
			return CronExpression.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The cron expression \"%s\" must have five fields (minute, hour, day, month, weekday), six with the second before them, or be a macro such as @daily: %s"
						.formatted(cron, ex.getMessage()),
					ex);
		}
	}

	@Override
	public @Nullable Instant after(Instant instant) {
		LocalDateTime local = LocalDateTime.ofInstant(instant, this.rules.getOffset(instant));
		if (!this.everyHour) {
			local = pastRepetition(local, instant);
		}
		Instant next = firstAfter(local, instant);
		return this.everyHour ? orRepeated(instant, next) : next;
	}

	/** Local times that come for the second time have been told already. */
	private LocalDateTime pastRepetition(LocalDateTime local, Instant instant) {
		ZoneOffsetTransition transition = this.rules.getTransition(local);
		if (transition != null && transition.isOverlap() && !instant.isBefore(transition.getInstant())) {
			return transition.getDateTimeBefore().minusNanos(1);
		}
		return local;
	}

	private @Nullable Instant firstAfter(LocalDateTime start, Instant instant) {
		LocalDateTime local = this.expression.next(start);
		while (local != null) {
			Instant candidate = instant(local, instant);
			if (candidate.isAfter(instant)) {
				return candidate;
			}
			local = this.expression.next(local);
		}
		return null;
	}

	private Instant instant(LocalDateTime local, Instant after) {
		ZoneOffsetTransition transition = this.rules.getTransition(local);
		if (transition == null) {
			return local.toInstant(this.rules.getOffset(local));
		}
		if (transition.isGap()) {
			return transition.getInstant();
		}
		Instant first = local.toInstant(transition.getOffsetBefore());
		return (this.everyHour && !first.isAfter(after)) ? local.toInstant(transition.getOffsetAfter()) : first;
	}

	/** A time of the repeated hour, where one comes before the next one otherwise. */
	private @Nullable Instant orRepeated(Instant instant, @Nullable Instant next) {
		ZoneOffsetTransition transition = this.rules.nextTransition(instant);
		while (transition != null && next != null && !transition.getInstant().isAfter(next)) {
			if (transition.isOverlap()) {
				LocalDateTime local = this.expression.next(transition.getDateTimeAfter().minusNanos(1));
				if (local != null && local.isBefore(transition.getDateTimeBefore())) {
					Instant repeated = local.toInstant(transition.getOffsetAfter());
					return repeated.isBefore(next) ? repeated : next;
				}
			}
			transition = this.rules.nextTransition(transition.getInstant());
		}
		return next;
	}

}

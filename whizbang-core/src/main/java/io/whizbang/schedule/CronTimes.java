package io.whizbang.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
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
 * back, stands for the first of both. But an expression for every hour tells no time of
 * day: it goes on by what clocks show, through the hour that comes twice and past the one
 * that does not come.
 */
final class CronTimes implements Cadence.Times {

	private static final int FIELDS = 6;

	private static final int HOUR = 2;

	private static final LocalDateTime ANY_DAY = LocalDate.EPOCH.atStartOfDay();

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
		CronExpression expression = parse(cron, text);
		boolean everyHour = text.equals("@hourly") || fields.length == FIELDS && hasAllHours(fields[HOUR]);
		CronTimes times = new CronTimes(expression, zone.getRules(), everyHour);
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

	/** However that is written: as an asterisk, a step of one, or a range. */
	private static boolean hasAllHours(String field) {
		CronExpression hours = CronExpression.parse("0 0 %s * * *".formatted(field));
		for (int hour = 0; hour < 24; hour++) {
			if (!ANY_DAY.plusHours(hour + 1).equals(hours.next(ANY_DAY.plusHours(hour)))) {
				return false;
			}
		}
		return true;
	}

	@Override
	public @Nullable Instant after(Instant instant) {
		LocalDateTime local = LocalDateTime.ofInstant(instant, this.rules.getOffset(instant));
		return this.everyHour ? asClocksShow(local, instant) : firstAfter(pastRepetition(local, instant), instant);
	}

	private @Nullable Instant asClocksShow(LocalDateTime start, Instant instant) {
		LocalDateTime local = this.expression.next(start);
		ZoneOffset offset = this.rules.getOffset(instant);
		ZoneOffsetTransition change = this.rules.nextTransition(instant);
		while (local != null && change != null && !local.toInstant(offset).isBefore(change.getInstant())) {
			local = this.expression.next(change.getDateTimeAfter().minusNanos(1));
			offset = change.getOffsetAfter();
			change = this.rules.nextTransition(change.getInstant());
		}
		return (local != null) ? local.toInstant(offset) : null;
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
			Instant candidate = instant(local);
			if (candidate.isAfter(instant)) {
				return candidate;
			}
			local = this.expression.next(local);
		}
		return null;
	}

	private Instant instant(LocalDateTime local) {
		ZoneOffsetTransition transition = this.rules.getTransition(local);
		if (transition == null) {
			return local.toInstant(this.rules.getOffset(local));
		}
		return transition.isGap() ? transition.getInstant() : local.toInstant(transition.getOffsetBefore());
	}

}

package io.whizbang.schedule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The expected times come from an independent source: {@code cron-times.py} beside the
 * table works them out with CPython's zoneinfo, and asks croniter.
 */
class CronTimesTests {

	@ParameterizedTest(name = "{0} in {1} after {2}")
	@MethodSource("rows")
	void tellsTheTimesOfTheTable(String cron, String zone, Instant after, Instant next) {
		assertThat(CronTimes.of(cron, ZoneId.of(zone)).after(after)).isEqualTo(next);
	}

	@ParameterizedTest
	@ValueSource(strings = { "America/New_York", "Asia/Kolkata" })
	void doesNotCareForTheZoneOfTheProcess(String own) throws IOException {
		TimeZone usual = TimeZone.getDefault();
		try {
			TimeZone.setDefault(TimeZone.getTimeZone(own));
			rows().map(Arguments::get)
				.forEach((row) -> tellsTheTimesOfTheTable((String) row[0], (String) row[1], (Instant) row[2],
						(Instant) row[3]));
		}
		finally {
			TimeZone.setDefault(usual);
		}
	}

	@Test
	void hasEnoughRowsAndBothChangesOfManyZones() throws IOException {
		assertThat(rows()).hasSizeGreaterThan(60);
		assertThat(zonesWith(ZoneOffsetTransition::isGap)).hasSizeGreaterThan(2);
		assertThat(zonesWith(ZoneOffsetTransition::isOverlap)).hasSizeGreaterThan(2);
	}

	/** Those whose clocks change within an hour of a time in the table. */
	private static Set<String> zonesWith(Predicate<ZoneOffsetTransition> kind) throws IOException {
		return rows().map(Arguments::get).filter((row) -> {
			Instant next = (Instant) row[3];
			ZoneOffsetTransition change = ZoneId.of((String) row[1])
				.getRules()
				.nextTransition(next.minus(Duration.ofHours(1)));
			return change != null && kind.test(change)
					&& Duration.between(next, change.getInstant()).compareTo(Duration.ofHours(1)) <= 0;
		}).map((row) -> (String) row[1]).collect(Collectors.toSet());
	}

	@Test
	void tellsEveryTimeOfAYearOnceAndInOrder() {
		for (String cron : List.of("0 30 2 * * *", "0 0/30 1-3 * * *", "0 0/30 * * * *", "0 15 0 * * *")) {
			for (String zone : List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
					"America/Sao_Paulo")) {
				CronTimes times = CronTimes.of(cron, ZoneId.of(zone));
				Instant end = Instant.parse("2019-01-01T00:00:00Z");
				Instant last = Instant.parse("2018-01-01T00:00:00Z");
				while (last.isBefore(end)) {
					Instant next = times.after(last);
					assertThat(next).as("%s in %s after %s", cron, zone, last).isAfter(last);
					// Whoever asks from in between gets the same.
					assertThat(times.after(next.minusMillis(1))).isEqualTo(next);
					last = next;
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "hello", "* * * *", "* * * * * * *", "60 * * * *", "0 0 24 * * *", "@reboot",
			"0 0 0 32 * *", "0 0 0 ? 13 *" })
	void refusesWhatIsNoExpression(String cron) {
		assertThatIllegalArgumentException().isThrownBy(() -> CronTimes.of(cron, ZoneOffset.UTC))
			.withMessageContaining("\"%s\"".formatted(cron))
			.withMessageContaining("five fields");
	}

	@Test
	void refusesAnExpressionThatTellsNoTime() {
		assertThatIllegalArgumentException().isThrownBy(() -> CronTimes.of("0 0 0 30 2 *", ZoneOffset.UTC))
			.withMessageContaining("0 0 0 30 2 *")
			.withMessageContaining("no time at all");
	}

	static Stream<Arguments> rows() throws IOException {
		try (InputStream table = CronTimesTests.class.getResourceAsStream("cron-times.txt")) {
			return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.startsWith("#"))
				.map((line) -> line.split(" \\| "))
				.map((row) -> Arguments.of(row[0], row[1], Instant.parse(row[2]), Instant.parse(row[3])))
				.toList()
				.stream();
		}
	}

}

package io.whizbang.schedule;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CadenceTests {

	private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

	@Test
	void anIntervalIsCountedFromTheTimeThatWasScheduled() {
		Cadence cadence = Cadence.of(null, Duration.ofMinutes(10), "UTC");
		Cadence.Due due = cadence.due(NOON, NOON.plusSeconds(3), 1);
		assertThat(due.times()).containsExactly(NOON);
		assertThat(due.next()).isEqualTo(NOON.plusSeconds(600));
		assertThat(due.older()).isFalse();
	}

	@Test
	void anIntervalThatWasMissedForYearsIsFoundAtOnce() {
		Cadence cadence = Cadence.of(null, Duration.ofMillis(100), "UTC");
		Instant now = NOON.plus(Duration.ofDays(5000)).plusMillis(50);
		Cadence.Due due = cadence.due(NOON, now, 3);
		assertThat(due.times()).containsExactly(now.minusMillis(250), now.minusMillis(150), now.minusMillis(50));
		assertThat(due.older()).isTrue();
		assertThat(due.next()).isEqualTo(now.plusMillis(50));
	}

	@Test
	void findsTheLatestTimesOfAnExpression() {
		Cadence cadence = Cadence.of("0 * * * *", null, "UTC");
		Cadence.Due due = cadence.due(NOON, NOON.plus(Duration.ofHours(5)).plusSeconds(1), 3);
		assertThat(due.times()).containsExactly(NOON.plus(Duration.ofHours(3)), NOON.plus(Duration.ofHours(4)),
				NOON.plus(Duration.ofHours(5)));
		assertThat(due.older()).isTrue();
		assertThat(due.next()).isEqualTo(NOON.plus(Duration.ofHours(6)));
	}

	@Test
	void findsAllTimesWhenThereAreNotMore() {
		Cadence cadence = Cadence.of("0 * * * *", null, "UTC");
		Cadence.Due due = cadence.due(NOON, NOON.plus(Duration.ofHours(2)), 10);
		assertThat(due.times()).containsExactly(NOON, NOON.plus(Duration.ofHours(1)), NOON.plus(Duration.ofHours(2)));
		assertThat(due.older()).isFalse();
	}

	@Test
	void findsTheLatestTimeOfAnExpressionForEverySecondOfYearsAtOnce() {
		Cadence cadence = Cadence.of("* * * * * *", null, "UTC");
		Instant now = NOON.plus(Duration.ofDays(1000)).plusMillis(1);
		Cadence.Due due = cadence.due(NOON, now, 1);
		assertThat(due.latest()).isEqualTo(now.minusMillis(1));
		assertThat(due.next()).isEqualTo(now.plusMillis(999));
	}

	@Test
	void aTimeThatWasDueStaysDueWhenTheRulesOfItsZoneHaveChanged() {
		Cadence cadence = Cadence.of("0 * * * *", null, "UTC");
		Instant odd = NOON.plusSeconds(1234);
		assertThat(cadence.due(odd, odd.plusSeconds(5), 1).times()).containsExactly(odd);
	}

	@Test
	void refusesWrongIntervalsAndZonesWithTheirValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> Cadence.of(null, Duration.ofSeconds(-5), "UTC"))
			.withMessageContaining("PT-5S");
		assertThatIllegalArgumentException().isThrownBy(() -> Cadence.of(null, Duration.ZERO, "UTC"))
			.withMessageContaining("PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> Cadence.of(null, Duration.ofDays(5000), "UTC"))
			.withMessageContaining("PT120000H");
		assertThatIllegalArgumentException().isThrownBy(() -> Cadence.of("0 * * * *", null, "Europe/Bonn"))
			.withMessageContaining("Europe/Bonn");
		assertThatIllegalArgumentException().isThrownBy(() -> Cadence.of("0 * * * *", Duration.ofHours(1), "UTC"))
			.withMessageContaining("not both");
	}

}

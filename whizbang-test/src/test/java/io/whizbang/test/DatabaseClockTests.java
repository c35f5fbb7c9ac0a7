package io.whizbang.test;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@PostgresTest
class DatabaseClockTests {

	private final PostgresDatabase database;

	private final DatabaseClock clock;

	DatabaseClockTests(PostgresDatabase database) {
		this.database = database;
		this.clock = new DatabaseClock(database.unpooledDataSource());
	}

	@Test
	void leavesTheTimeToTheDatabaseUntilItIsTouched() {
		assertThat(this.clock.get()).isNull();
	}

	@Test
	void goesOnAheadOfTheDatabaseOnceItIsAdvanced() {
		this.clock.advance(Duration.ofHours(1));
		Instant before = databaseTime();
		assertThat(this.clock.get()).isAfterOrEqualTo(before.plus(Duration.ofHours(1)))
			.isBefore(before.plus(Duration.ofHours(2)));
		assertThat(this.clock.now()).isBefore(later());
	}

	@Test
	void standsStillOnceItIsFrozen() {
		this.clock.freeze();
		Instant frozen = this.clock.now();
		databaseTime();
		assertThat(this.clock.get()).isEqualTo(frozen);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.clock.get()).isEqualTo(frozen.plusSeconds(5));
	}

	@Test
	void canBeSetToThePastAndForgetIt() {
		this.clock.set(Instant.EPOCH);
		assertThat(this.clock.get()).isEqualTo(Instant.EPOCH);
		this.clock.reset();
		assertThat(this.clock.get()).isNull();
	}

	@Test
	void refusesToBeAdvancedBackwards() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofSeconds(-1)))
			.withMessageContaining("use set(Instant)");
	}

	private Instant later() {
		databaseTime();
		return this.clock.now();
	}

	private Instant databaseTime() {
		return this.database.jdbc().queryForObject("select clock_timestamp()", OffsetDateTime.class).toInstant();
	}

}

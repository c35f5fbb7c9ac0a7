package io.whizbang.test;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/**
 * What time it is for the coordinator. It goes with the database's clock until a test
 * moves it forward or stops it, so that retries, leases and delays need no waiting.
 */
public final class DatabaseClock implements Supplier<@Nullable Instant> {

	private final Instant start;

	private final long startNanos;

	private Duration ahead = Duration.ZERO;

	private @Nullable Instant frozen;

	/**
	 * Creates a clock that shows the database's time.
	 * @param dataSource where the database is
	 */
	public DatabaseClock(DataSource dataSource) {
		// Taken before the question, so that this clock never lags behind the database's.
		this.startNanos = System.nanoTime();
		List<OffsetDateTime> now = new JdbcTemplate(dataSource).queryForList("select clock_timestamp()",
				OffsetDateTime.class);
		this.start = now.get(0).toInstant();
	}

	/**
	 * Returns the time that the coordinator is to take for the present.
	 * @return the time, or {@code null} while that is the database's own
	 */
	@Override
	public synchronized @Nullable Instant get() {
		return (this.frozen == null && this.ahead.isZero()) ? null : now();
	}

	/**
	 * Returns the time that the clock shows.
	 * @return the time, in microseconds as the database has it
	 */
	public synchronized Instant now() {
		if (this.frozen != null) {
			return this.frozen;
		}
		Instant now = this.start.plusNanos(System.nanoTime() - this.startNanos).plus(this.ahead);
		return now.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * Moves the clock forward; a clock that stands still goes on standing still.
	 * @param duration how far
	 */
	public synchronized void advance(Duration duration) {
		Assert.isTrue(!duration.isNegative(), () -> "A clock can only be advanced, not put back by " + duration
				+ "; use set(Instant) to test a clock that jumps");
		if (this.frozen != null) {
			this.frozen = this.frozen.plus(duration);
		}
		else {
			this.ahead = this.ahead.plus(duration);
		}
	}

	/**
	 * Stops the clock where it is.
	 */
	public synchronized void freeze() {
		this.frozen = now();
	}

	/**
	 * Sets the clock to any time, earlier or later, and stops it there.
	 * @param time the time
	 */
	public synchronized void set(Instant time) {
		this.frozen = time.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * Lets the clock show the database's time again.
	 */
	public synchronized void reset() {
		this.frozen = null;
		this.ahead = Duration.ZERO;
	}

	@Override
	public String toString() {
		return "Database clock at " + now();
	}

}

package io.whizbang.timer;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * The statements about timers, in whatever transaction the connection is in.
 */
final class JdbcTimerStatements {

	// Headers have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper HEADERS = JsonMapper.shared();

	private final String scheduleSql;

	private final String cancelSql;

	private final String rescheduleSql;

	private final String renewSql;

	private final String findSql;

	private final String listSql;

	private final String countSql;

	private final Supplier<@Nullable Instant> clock;

	JdbcTimerStatements(String schema, Supplier<@Nullable Instant> clock) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		this.scheduleSql = "select * from %s.schedule_timers(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
		this.cancelSql = "select * from %s.cancel_timers(?, ?)".formatted(schema);
		this.rescheduleSql = "select * from %s.reschedule_timer(?, ?, ?, ?, ?)".formatted(schema);
		this.renewSql = "select %s.renew_timers(?, ?)".formatted(schema);
		this.findSql = "select * from %s.find_timer(?, ?)".formatted(schema);
		this.listSql = "select * from %s.list_timers(?, ?, ?, ?)".formatted(schema);
		this.countSql = "select %s.count_timers(?)".formatted(schema);
		this.clock = clock;
	}

	List<ChangedTimer> schedule(Connection connection, List<EncodedTimer> timers) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.scheduleSql);
				Columns columns = new Columns(connection, statement, timers, new ArrayList<>())) {
			columns.add("uuid", UUID[]::new, (timer) -> timer.id().value());
			columns.add("text", String[]::new, (timer) -> timer.timer().key());
			columns.add("bool", Boolean[]::new, (timer) -> timer.timer().keepExisting());
			columns.add("uuid", UUID[]::new, EncodedTimer::streamValue);
			columns.add("text", String[]::new, EncodedTimer::streamKey);
			columns.add("int4", Integer[]::new, EncodedTimer::partitionHash);
			columns.add("text", String[]::new, (timer) -> timer.timer().topic());
			columns.add("text", String[]::new, (timer) -> timer.timer().type());
			columns.add("jsonb", String[]::new, (timer) -> headers(timer.headers()));
			columns.add("text", String[]::new, EncodedTimer::payload);
			columns.add("int8", Long[]::new, (timer) -> micros(timer.timer().delay()));
			columns.add("timestamptz", String[]::new, (timer) -> text(timer.timer().due()));
			setTime(statement, 13, this.clock.get());
			return changed(statement, true, true);
		}
	}

	List<ChangedTimer> cancel(Connection connection, Collection<TimerId> ids, Collection<String> keys)
			throws SQLException {
		Array idArray = connection.createArrayOf("uuid", ids.stream().map(TimerId::value).toArray());
		Array keyArray = connection.createArrayOf("text", keys.toArray());
		try (PreparedStatement statement = connection.prepareStatement(this.cancelSql)) {
			statement.setArray(1, idArray);
			statement.setArray(2, keyArray);
			return changed(statement, false, false);
		}
		finally {
			idArray.free();
			keyArray.free();
		}
	}

	List<ChangedTimer> reschedule(Connection connection, @Nullable UUID id, @Nullable String key,
			@Nullable Duration delay, @Nullable Instant due) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.rescheduleSql)) {
			statement.setObject(1, id, Types.OTHER);
			statement.setString(2, key);
			statement.setObject(3, micros(delay), Types.BIGINT);
			setTime(statement, 4, (due != null) ? inMicros(due) : null);
			setTime(statement, 5, this.clock.get());
			return changed(statement, false, true);
		}
	}

	boolean renew(Connection connection, Collection<TimerId> ids) throws SQLException {
		Array idArray = connection.createArrayOf("uuid", ids.stream().map(TimerId::value).toArray());
		try (PreparedStatement statement = connection.prepareStatement(this.renewSql)) {
			statement.setArray(1, idArray);
			setTime(statement, 2, this.clock.get());
			return statement.execute();
		}
		finally {
			idArray.free();
		}
	}

	Optional<PendingTimer> find(Connection connection, @Nullable UUID id, @Nullable String key) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.findSql)) {
			statement.setObject(1, id, Types.OTHER);
			statement.setString(2, key);
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next() ? Optional.of(new TimerRows(rows).read()) : Optional.empty();
			}
		}
	}

	TimerPage list(Connection connection, @Nullable String topic, @Nullable TimerPlace after, int limit)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.listSql)) {
			statement.setString(1, topic);
			setTime(statement, 2, (after != null) ? after.due() : null);
			statement.setObject(3, (after != null) ? after.number() : null, Types.BIGINT);
			statement.setInt(4, limit);
			try (ResultSet rows = statement.executeQuery()) {
				return new TimerRows(rows).page();
			}
		}
	}

	int count(Connection connection, int limit) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.countSql)) {
			statement.setInt(1, limit);
			try (ResultSet rows = statement.executeQuery()) {
				rows.next();
				return rows.getInt(1);
			}
		}
	}

	private static List<ChangedTimer> changed(PreparedStatement statement, boolean keys, boolean times)
			throws SQLException {
		List<ChangedTimer> changed = new ArrayList<>();
		try (ResultSet rows = statement.executeQuery()) {
			while (rows.next()) {
				changed.add(new ChangedTimer(TimerId.of(rows.getObject("id", UUID.class)),
						keys ? rows.getString("key") : null, rows.getInt("hash"),
						times ? Duration.ofMillis(rows.getLong("due_in_ms")) : Duration.ZERO));
			}
		}
		return changed;
	}

	private static void setTime(PreparedStatement statement, int index, @Nullable Instant time) throws SQLException {
		statement.setObject(index, (time != null) ? OffsetDateTime.ofInstant(time, ZoneOffset.UTC) : null,
				Types.TIMESTAMP_WITH_TIMEZONE);
	}

	/** Rounded up, as all times: a timer never fires early. */
	private static @Nullable Long micros(@Nullable Duration delay) {
		return (delay != null) ? delay.plusNanos(999).dividedBy(Duration.ofNanos(1000)) : null;
	}

	private static Instant inMicros(Instant time) {
		return time.plusNanos(999).truncatedTo(ChronoUnit.MICROS);
	}

	private static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? inMicros(time).toString() : null;
	}

	private static String headers(Map<String, String> headers) {
		return headers.isEmpty() ? "{}" : HEADERS.writeValueAsString(headers);
	}

	/**
	 * One array per column of the timers.
	 *
	 * @param connection the connection
	 * @param statement the statement
	 * @param timers the timers
	 * @param arrays the arrays so far
	 */
	private record Columns(Connection connection, PreparedStatement statement, List<EncodedTimer> timers,
			List<Array> arrays) implements AutoCloseable {

		<T> void add(String type, IntFunction<@Nullable T[]> array, Function<EncodedTimer, @Nullable T> value)
				throws SQLException {
			@Nullable T[] values = this.timers.stream().map(value).toArray(array);
			Array column = this.connection.createArrayOf(type, values);
			this.arrays.add(column);
			this.statement.setArray(this.arrays.size(), column);
		}

		@Override
		public void close() throws SQLException {
			for (Array array : this.arrays) {
				array.free();
			}
		}

	}

}

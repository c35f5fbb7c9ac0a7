package io.whizbang.timer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections.Step;
import io.whizbang.coordinator.JdbcCalls;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Timers in the database. Time is the database's. Every call is part of the current
 * transaction, or one of its own.
 */
public final class JdbcTimerStore {

	/** Who cancels a timer may have to wait for somebody else's transaction. */
	private static final int NO_TIMEOUT = 0;

	// Headers have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper HEADERS = JsonMapper.shared();

	private final JdbcCalls calls;

	private final Supplier<@Nullable Instant> now;

	/**
	 * Creates a store that goes by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcTimerStore(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a store that goes by another clock, for tests.
	 * @param dataSource the database
	 * @param schema the schema that Whizbang is installed in
	 * @param now the time, or {@code null} for the database's
	 */
	public JdbcTimerStore(DataSource dataSource, String schema, Supplier<@Nullable Instant> now) {
		this.calls = new JdbcCalls(dataSource, schema, NO_TIMEOUT);
		this.now = now;
	}

	DataSource dataSource() {
		return this.calls.dataSource();
	}

	List<ChangedTimer> schedule(List<EncodedTimer> timers) {
		Columns columns = new Columns(timers);
		return call("schedule_timers(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.array("uuid", columns.get(UUID[]::new, (timer) -> timer.id().value()))
					.array("text", columns.get(String[]::new, (timer) -> timer.timer().key()))
					.array("bool", columns.get(Boolean[]::new, (timer) -> timer.timer().keepExisting()))
					.array("uuid", columns.get(UUID[]::new, EncodedTimer::streamValue))
					.array("text", columns.get(String[]::new, EncodedTimer::streamKey))
					.array("int4", columns.get(Integer[]::new, EncodedTimer::partitionHash))
					.array("text", columns.get(String[]::new, (timer) -> timer.timer().topic()))
					.array("text", columns.get(String[]::new, (timer) -> timer.timer().type()))
					.array("jsonb", columns.get(String[]::new, (timer) -> headers(timer.headers())))
					.array("text", columns.get(String[]::new, EncodedTimer::payload))
					.array("int8", columns.get(Long[]::new, (timer) -> micros(timer.timer().delay())))
					.array("timestamptz", columns.get(String[]::new, (timer) -> text(timer.timer().due())))
					.time(this.now.get()),
				(rows) -> changed(rows, rows.getString("key"), rows.getLong("due_in_ms"), false));
	}

	List<ChangedTimer> cancel(Collection<TimerId> ids, Collection<String> keys) {
		return call("cancel_timers(?, ?, ?)",
				(arguments) -> arguments.array("uuid", values(ids))
					.array("text", keys.toArray(String[]::new))
					.time(this.now.get()),
				(rows) -> changed(rows, null, 0, rows.getBoolean("member")));
	}

	List<ChangedTimer> reschedule(@Nullable UUID id, @Nullable String key, @Nullable Duration delay,
			@Nullable Instant due) {
		return call("reschedule_timer(?, ?, ?, ?, ?)",
				(arguments) -> arguments.other(id)
					.text(key)
					.number(micros(delay))
					.time((due != null) ? inMicros(due) : null)
					.time(this.now.get()),
				(rows) -> changed(rows, null, rows.getLong("due_in_ms"), false));
	}

	/** Has timers whose time has passed be due now. */
	void renew(Collection<TimerId> ids) {
		call("renew_timers(?, ?)", (arguments) -> arguments.array("uuid", values(ids)).time(this.now.get()),
				(rows) -> true);
	}

	Optional<PendingTimer> find(@Nullable UUID id, @Nullable String key) {
		return call("find_timer(?, ?)", (arguments) -> arguments.other(id).text(key),
				(rows) -> new TimerRows(rows).read())
			.stream()
			.findFirst();
	}

	TimerPage list(@Nullable String topic, @Nullable TimerPlace after, int limit) {
		return TimerRows.page(call("list_timers(?, ?, ?, ?)",
				(arguments) -> arguments.text(topic)
					.time((after != null) ? after.due() : null)
					.number((after != null) ? after.number() : null)
					.count(limit),
				(rows) -> new TimerRows(rows).entry()));
	}

	int count(int limit) {
		return call("count_timers(?)", (arguments) -> arguments.count(limit), (rows) -> rows.getInt(1)).get(0);
	}

	private <T> List<T> call(String call, JdbcCalls.Parameters parameters, Step<ResultSet, T> row) {
		return this.calls.joined(call, parameters, row);
	}

	private static ChangedTimer changed(ResultSet rows, @Nullable String key, long dueInMillis, boolean endedMember)
			throws SQLException {
		return new ChangedTimer(TimerId.of(rows.getObject("id", UUID.class)), key, rows.getInt("hash"),
				Duration.ofMillis(dueInMillis), endedMember);
	}

	private static UUID[] values(Collection<TimerId> ids) {
		return ids.stream().map(TimerId::value).toArray(UUID[]::new);
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
	 * Makes an array of each column of the timers.
	 *
	 * @param timers the timers
	 */
	private record Columns(List<EncodedTimer> timers) {

		<T> @Nullable T[] get(IntFunction<@Nullable T[]> array, Function<EncodedTimer, @Nullable T> value) {
			return this.timers.stream().map(value).toArray(array);
		}

	}

}

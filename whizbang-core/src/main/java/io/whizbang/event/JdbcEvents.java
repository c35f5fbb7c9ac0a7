package io.whizbang.event;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import javax.sql.DataSource;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/**
 * The statements about events, on the connection of the current transaction if there is
 * one.
 */
final class JdbcEvents {

	/**
	 * What most transactions do: append to one stream. Not a function: calling one would
	 * double its cost. The upsert finds the stream by its index whatever the planner
	 * thinks of the table. A stream that should exist and does not is created with
	 * version 0, and gets no event; the function, which then has to tell what is wrong,
	 * removes it.
	 */
	private static final String ADVANCE_STREAM = """
			with stream as (
				insert into %1$s.wh_streams as s (stream_id, stream_key, version, created_at, appended_at)
				select n.stream_id, n.stream_key, case when n.expected > 0 then 0 else n.count end, n.now, n.now
				from (values (?::uuid, ?, ?::bigint, ?::int, clock_timestamp())) n(stream_id, stream_key, expected, count, now)
				on conflict (stream_id) do update set version = s.version + ?::int, appended_at = excluded.appended_at
				where ?::bigint in (-1, s.version)
				returning s.stream_id, s.version - ?::int as stood, s.appended_at)
			insert into %1$s.wh_events
				(version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
			""";

	private static final String APPEND_ONE = ADVANCE_STREAM + """
			select s.stood + 1, s.appended_at, s.stream_id, ?::uuid, ?, ?, ?::jsonb, ?
			from stream s
			where s.stood >= 0
			returning version, position""";

	private static final String APPEND_SOME = ADVANCE_STREAM + """
			select s.stood + e.place, s.appended_at, s.stream_id, e.event_id, e.type_version, e.event_type,
				e.metadata::jsonb, e.payload
			from stream s cross join unnest(?::uuid[], ?::int[], ?::text[], ?::text[], ?::text[])
				with ordinality e(event_id, type_version, event_type, metadata, payload, place)
			where s.stood >= 0
			order by e.place
			returning version, position""";

	private final JdbcTemplate jdbc;

	private final long pageBytes;

	private final String appendOneSql;

	private final String appendSomeSql;

	private final String appendSql;

	private final String readStreamSql;

	private final String readAllSql;

	private final String infoSql;

	JdbcEvents(DataSource dataSource, String schema, long pageBytes) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		this.jdbc = new JdbcTemplate(dataSource);
		this.pageBytes = pageBytes;
		this.appendOneSql = APPEND_ONE.formatted(schema);
		this.appendSomeSql = APPEND_SOME.formatted(schema);
		this.appendSql = "select * from %s.append_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
		this.readStreamSql = "select * from %s.read_stream(?, ?, ?, ?, ?)".formatted(schema);
		this.readAllSql = "select * from %s.read_events(?, ?, ?)".formatted(schema);
		this.infoSql = "select version, created_at, appended_at from %s.wh_streams where stream_id = ?"
			.formatted(schema);
	}

	/**
	 * Appends events.
	 * @param appends which streams, each once
	 * @param events their events
	 * @return the places, in the order of the streams
	 * @throws OptimisticConcurrencyException when a stream stands elsewhere
	 */
	List<Appended> append(List<StreamAppend> appends, List<EncodedEvent> events) {
		if (appends.size() == 1) {
			List<Appended> appended = (events.size() == 1) ? appendOne(appends.get(0), events.get(0))
					: appendSome(appends.get(0), events);
			if (!appended.isEmpty()) {
				return appended;
			}
		}
		return appendMany(appends, events);
	}

	private List<Appended> appendOne(StreamAppend append, EncodedEvent event) {
		return query(this.appendOneSql, (arguments) -> {
			PreparedStatement statement = arguments.statement();
			advance(statement, append);
			statement.setObject(8, event.event().id().value());
			statement.setInt(9, event.type().version());
			statement.setString(10, event.type().name());
			statement.setString(11, event.metadata());
			statement.setString(12, event.payload());
		}, (rows) -> new EventRows(rows).appended(append));
	}

	private List<Appended> appendSome(StreamAppend append, List<EncodedEvent> events) {
		return query(this.appendSomeSql, (arguments) -> {
			advance(arguments.statement(), append);
			arguments.array(8, "uuid", UUID[]::new, events, (event) -> event.event().id().value());
			arguments.array(9, "int4", Integer[]::new, events, (event) -> event.type().version());
			arguments.array(10, "text", String[]::new, events, (event) -> event.type().name());
			arguments.array(11, "text", String[]::new, events, EncodedEvent::metadata);
			arguments.array(12, "text", String[]::new, events, EncodedEvent::payload);
		}, (rows) -> new EventRows(rows).appended(append));
	}

	private static void advance(PreparedStatement statement, StreamAppend append) throws SQLException {
		long expected = append.expected().value();
		int count = append.events().size();
		statement.setObject(1, append.stream().value());
		statement.setString(2, key(append.stream()));
		statement.setLong(3, expected);
		statement.setInt(4, count);
		statement.setInt(5, count);
		statement.setLong(6, expected);
		statement.setInt(7, count);
	}

	private List<Appended> appendMany(List<StreamAppend> appends, List<EncodedEvent> events) {
		List<int[]> places = places(appends);
		return query(this.appendSql, (arrays) -> {
			arrays.array(1, "uuid", UUID[]::new, appends, (append) -> append.stream().value());
			arrays.array(2, "text", String[]::new, appends, (append) -> key(append.stream()));
			arrays.array(3, "int8", Long[]::new, appends, JdbcEvents::expected);
			arrays.array(4, "int4", Integer[]::new, appends, (append) -> append.events().size());
			arrays.array(5, "int4", Integer[]::new, places, (place) -> place[0]);
			arrays.array(6, "int4", Integer[]::new, places, (place) -> place[1]);
			arrays.array(7, "uuid", UUID[]::new, events, (event) -> event.event().id().value());
			arrays.array(8, "text", String[]::new, events, (event) -> event.type().name());
			arrays.array(9, "int4", Integer[]::new, events, (event) -> event.type().version());
			arrays.array(10, "jsonb", String[]::new, events, EncodedEvent::metadata);
			arrays.array(11, "text", String[]::new, events, EncodedEvent::payload);
		}, (rows) -> new EventRows(rows).appended(appends));
	}

	EventPage readStream(StreamId stream, long from, boolean backwards, int limit) {
		return query(this.readStreamSql, (arguments) -> {
			PreparedStatement statement = arguments.statement();
			statement.setObject(1, stream.value());
			statement.setLong(2, from);
			statement.setBoolean(3, backwards);
			statement.setInt(4, limit);
			statement.setLong(5, this.pageBytes);
		}, (rows) -> new EventRows(rows).page());
	}

	EventPage readAll(long after, int limit) {
		return query(this.readAllSql, (arguments) -> {
			PreparedStatement statement = arguments.statement();
			statement.setLong(1, after);
			statement.setInt(2, limit);
			statement.setLong(3, this.pageBytes);
		}, (rows) -> new EventRows(rows).page());
	}

	StreamInfo info(StreamId stream) {
		return query(this.infoSql, (arguments) -> arguments.statement().setObject(1, stream.value()),
				(rows) -> new EventRows(rows).info(stream));
	}

	private <T> T query(String sql, Step<Arguments> arguments, Result<T> result) {
		ConnectionCallback<T> callback = (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(sql);
					Arguments values = new Arguments(connection, statement, new ArrayList<>())) {
				arguments.run(values);
				try (ResultSet rows = statement.executeQuery()) {
					return result.of(rows);
				}
			}
		};
		T found = this.jdbc.execute(callback);
		Assert.state(found != null, "A statement about events has no result");
		return found;
	}

	/** For each event: which stream, and which one of its events, counted from 1. */
	private static List<int[]> places(List<StreamAppend> appends) {
		List<int[]> places = new ArrayList<>();
		for (int i = 0; i < appends.size(); i++) {
			for (int j = 0; j < appends.get(i).events().size(); j++) {
				places.add(new int[] { i + 1, j + 1 });
			}
		}
		return places;
	}

	private static @Nullable Long expected(StreamAppend append) {
		return append.expected().isAny() ? null : append.expected().value();
	}

	private static @Nullable String key(StreamId stream) {
		return stream.key().equals(stream.value().toString()) ? null : stream.key();
	}

	/**
	 * What a statement is called with.
	 *
	 * @param connection its connection
	 * @param statement the statement
	 * @param arrays the arrays so far, one per column
	 */
	private record Arguments(Connection connection, PreparedStatement statement,
			List<Array> arrays) implements AutoCloseable {

		<S, T> void array(int index, String type, IntFunction<@Nullable T[]> array, List<S> from,
				Function<S, @Nullable T> value) throws SQLException {
			@Nullable T[] values = from.stream().map(value).toArray(array);
			Array column = this.connection.createArrayOf(type, values);
			this.arrays.add(column);
			this.statement.setArray(index, column);
		}

		@Override
		public void close() throws SQLException {
			for (Array array : this.arrays) {
				array.free();
			}
		}

	}

	/**
	 * Sets arguments.
	 *
	 * @param <T> what they are set on
	 */
	@FunctionalInterface
	private interface Step<T> {

		void run(T on) throws SQLException;

	}

	/**
	 * Reads what comes back.
	 *
	 * @param <T> what is read
	 */
	@FunctionalInterface
	private interface Result<T> {

		T of(ResultSet rows) throws SQLException;

	}

}

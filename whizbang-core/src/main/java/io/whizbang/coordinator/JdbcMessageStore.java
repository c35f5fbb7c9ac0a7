package io.whizbang.coordinator;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Stores new messages of a queue with one statement, in whatever transaction the
 * connection is in.
 */
public final class JdbcMessageStore {

	// Headers have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper HEADERS = JsonMapper.shared();

	/**
	 * What most transactions do. Not a function: calling one would double its cost. The
	 * inner query comes first and calls from left to right, so that all locks are held
	 * when the place in the queue is drawn.
	 */
	private static final String STORE_ONE = """
			insert into %1$s.wh_messages
				(queue, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload)
			select m.queue, m.hash, octet_length(m.payload), m.id, m.stream_id, m.stream_key, m.topic, m.type, m.headers, m.payload
			from (
				select n.*, %1$s.outwait_locks(), case when n.strict then %1$s.share_streams(n.queue) end,
					case when n.strict then %1$s.lock_stream(n.queue, n.hash) end, %1$s.announce_enqueue()
				from (values (?::boolean, ?::smallint, ?::int, ?::uuid, ?::uuid, ?, ?, ?, ?::jsonb, ?))
					n(strict, queue, hash, id, stream_id, stream_key, topic, type, headers, payload)) m""";

	private final String oneSql;

	private final String manySql;

	private final String queuesSql;

	/**
	 * Creates a store.
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcMessageStore(String schema) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		this.oneSql = STORE_ONE.formatted(schema);
		this.manySql = manySql(schema, "store_messages");
		this.queuesSql = manySql(schema, "store_queue_messages");
	}

	private static String manySql(String schema, String function) {
		return "select %s.%s(?::smallint, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema, function);
	}

	/**
	 * Stores messages.
	 * @param connection the connection, in the transaction that the messages belong to
	 * @param queue the queue
	 * @param messages the messages, in order
	 * @param strict whether commit order within a stream is kept; costs locks until
	 * commit
	 * @throws SQLException when the database refuses
	 */
	public void store(Connection connection, Queue queue, List<NewMessage> messages, boolean strict)
			throws SQLException {
		if (messages.isEmpty()) {
			return;
		}
		NewMessage first = messages.get(0);
		if (queue != Queue.QUEUES && messages.size() == 1 && first.delay() == null && first.notBefore() == null) {
			storeOne(connection, queue, first, strict);
		}
		else {
			storeMany(connection, queue, messages, strict);
		}
	}

	private void storeOne(Connection connection, Queue queue, NewMessage message, boolean strict) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.oneSql)) {
			StreamId stream = message.stream();
			statement.setBoolean(1, strict && stream != null);
			statement.setInt(2, queue.number());
			statement.setInt(3, message.partitionHash());
			statement.setObject(4, message.id().value());
			statement.setObject(5, streamValue(stream), Types.OTHER);
			statement.setString(6, streamKey(stream));
			statement.setString(7, message.topic());
			statement.setString(8, message.type());
			statement.setString(9, headers(message.headers()));
			statement.setString(10, message.payload());
			statement.executeUpdate();
		}
	}

	private void storeMany(Connection connection, Queue queue, List<NewMessage> messages, boolean strict)
			throws SQLException {
		List<Array> arrays = new ArrayList<>(10);
		try (PreparedStatement statement = connection
			.prepareStatement((queue == Queue.QUEUES) ? this.queuesSql : this.manySql)) {
			Columns columns = new Columns(connection, messages, arrays);
			columns.add("uuid", UUID[]::new, (message) -> message.id().value());
			columns.add("uuid", UUID[]::new, (message) -> streamValue(message.stream()));
			columns.add("text", String[]::new, (message) -> streamKey(message.stream()));
			columns.add("int4", Integer[]::new, NewMessage::partitionHash);
			columns.add("text", String[]::new, NewMessage::topic);
			columns.add("text", String[]::new, NewMessage::type);
			columns.add("jsonb", String[]::new, (message) -> headers(message.headers()));
			columns.add("text", String[]::new, NewMessage::payload);
			columns.add("int8", Long[]::new, JdbcMessageStore::delay);
			columns.add("timestamptz", String[]::new, JdbcMessageStore::notBefore);
			int index = 1;
			statement.setInt(index++, queue.number());
			for (Array array : arrays) {
				statement.setArray(index++, array);
			}
			statement.setBoolean(index, strict);
			statement.execute();
		}
		finally {
			for (Array array : arrays) {
				array.free();
			}
		}
	}

	private static @Nullable Long delay(NewMessage message) {
		return (message.delay() != null) ? message.delay().toMillis() : null;
	}

	private static @Nullable String notBefore(NewMessage message) {
		return (message.notBefore() != null) ? message.notBefore().toString() : null;
	}

	private static @Nullable UUID streamValue(@Nullable StreamId stream) {
		return (stream != null) ? stream.value() : null;
	}

	private static @Nullable String streamKey(@Nullable StreamId stream) {
		return (stream != null && !stream.key().equals(stream.value().toString())) ? stream.key() : null;
	}

	private static String headers(Map<String, String> headers) {
		return headers.isEmpty() ? "{}" : HEADERS.writeValueAsString(headers);
	}

	/**
	 * One array per column of the messages. The driver sends arrays of strings and
	 * numbers in binary form, which spares large payloads the quoting.
	 */
	private record Columns(Connection connection, List<NewMessage> messages, List<Array> arrays) {

		<T> void add(String type, IntFunction<@Nullable T[]> array, Function<NewMessage, @Nullable T> value)
				throws SQLException {
			@Nullable T[] values = this.messages.stream().map(value).toArray(array);
			this.arrays.add(this.connection.createArrayOf(type, values));
		}

	}

}

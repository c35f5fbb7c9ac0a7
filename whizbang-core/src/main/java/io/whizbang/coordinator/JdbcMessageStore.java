package io.whizbang.coordinator;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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

	private final String sql;

	/**
	 * Creates a store.
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcMessageStore(String schema) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		this.sql = "select %s.store_messages(?::smallint, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
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
		List<Array> arrays = new ArrayList<>(10);
		try (PreparedStatement statement = connection.prepareStatement(this.sql)) {
			Columns columns = new Columns(connection, messages, arrays);
			columns.add("uuid", (message) -> message.id().value());
			columns.add("uuid", (message) -> streamValue(message.stream()));
			columns.add("text", (message) -> streamKey(message.stream()));
			columns.add("int4", NewMessage::partitionHash);
			columns.add("text", NewMessage::topic);
			columns.add("text", NewMessage::type);
			columns.add("jsonb", (message) -> headers(message.headers()));
			columns.add("text", NewMessage::payload);
			columns.add("int8", (message) -> (message.delay() != null) ? message.delay().toMillis() : null);
			columns.add("timestamptz",
					(message) -> (message.notBefore() != null) ? message.notBefore().toString() : null);
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

	private static @Nullable Object streamValue(@Nullable StreamId stream) {
		return (stream != null) ? stream.value() : null;
	}

	private static @Nullable String streamKey(@Nullable StreamId stream) {
		return (stream != null && !stream.key().equals(stream.value().toString())) ? stream.key() : null;
	}

	private static String headers(Map<String, String> headers) {
		return headers.isEmpty() ? "{}" : HEADERS.writeValueAsString(headers);
	}

	/**
	 * One array per column of the messages.
	 */
	private record Columns(Connection connection, List<NewMessage> messages, List<Array> arrays) {

		void add(String type, Function<NewMessage, @Nullable Object> value) throws SQLException {
			@Nullable Object[] values = this.messages.stream().map(value).toArray();
			this.arrays.add(this.connection.createArrayOf(type, values));
		}

	}

}

package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.whizbang.message.NewMessage;

/**
 * The note, in the transaction that stores messages, of what it stores.
 */
final class Audit {

	private static final String SQL = "insert into chaos_audit (message_id, stream_id, place, delayed) "
			+ "select * from unnest(?::uuid[], ?::uuid[], ?::int[], ?::boolean[])";

	private Audit() {
	}

	static void note(Connection connection, List<NewMessage> messages) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(SQL)) {
			statement.setArray(1,
					connection.createArrayOf("uuid", column(messages, (message) -> message.id().value())));
			statement.setArray(2, connection.createArrayOf("uuid",
					column(messages, (message) -> (message.stream() != null) ? message.stream().value() : null)));
			statement.setArray(3,
					connection.createArrayOf("int4", IntStream.range(0, messages.size()).boxed().toArray()));
			statement.setArray(4,
					connection.createArrayOf("bool", column(messages, (message) -> message.delay() != null)));
			statement.execute();
		}
	}

	private static Object[] column(List<NewMessage> messages, Function<NewMessage, Object> value) {
		return messages.stream().map(value).toArray();
	}

}

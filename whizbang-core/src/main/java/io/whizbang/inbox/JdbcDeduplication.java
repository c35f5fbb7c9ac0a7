package io.whizbang.inbox;

import java.sql.ResultSet;
import java.sql.Types;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import io.whizbang.inbox.JdbcStatements.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which messages were received.
 */
final class JdbcDeduplication {

	private final JdbcStatements statements;

	private final String receive;

	private final @Nullable Duration retention;

	JdbcDeduplication(DataSource dataSource, String schema, @Nullable Duration retention) {
		this.statements = new JdbcStatements(dataSource);
		this.receive = "select place, known_hash from %s.receive_messages(?, ?, ?, ?)".formatted(schema);
		this.retention = retention;
	}

	/**
	 * Remembers messages, in the current transaction.
	 * @param messages the messages
	 * @param hashes the hash of each
	 * @return the hashes under which those that are not new are known, by their place
	 */
	Map<Integer, byte[]> receive(List<IncomingMessage> messages, List<byte[]> hashes) {
		return this.statements.run("Receive messages", this.receive, (arguments) -> {
			arguments.array("text", messages.stream().map(IncomingMessage::source).toArray(String[]::new))
				.array("uuid", messages.stream().map((message) -> message.messageId().value()).toArray(UUID[]::new))
				.array("bytea", hashes.toArray(byte[][]::new))
				.add((this.retention != null) ? this.retention.toMillis() : null, Types.BIGINT);
			return known(arguments);
		});
	}

	private static Map<Integer, byte[]> known(Arguments arguments) throws java.sql.SQLException {
		Map<Integer, byte[]> known = new HashMap<>();
		try (ResultSet rows = arguments.statement().executeQuery()) {
			while (rows.next()) {
				known.put(rows.getInt(1) - 1, rows.getBytes(2));
			}
		}
		return known;
	}

}

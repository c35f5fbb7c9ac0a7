package io.whizbang.inbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcCalls;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which messages were received.
 */
final class JdbcDeduplication {

	private final JdbcCalls calls;

	private final @Nullable Duration retention;

	JdbcDeduplication(DataSource dataSource, String schema, @Nullable Duration retention) {
		this.calls = new JdbcCalls(dataSource, schema, InboxSettings.CALL_TIMEOUT_SECONDS);
		this.retention = retention;
	}

	/**
	 * Remembers messages, in the current transaction.
	 * @param messages the messages
	 * @param hashes the hash of each
	 * @return the hashes under which those that are not new are known, by their place
	 */
	Map<Integer, byte[]> receive(List<IncomingMessage> messages, List<byte[]> hashes) {
		Map<Integer, byte[]> known = new HashMap<>();
		this.calls.within("receive_messages(?, ?, ?, ?)",
				(arguments) -> arguments
					.array("text", messages.stream().map(IncomingMessage::source).toArray(String[]::new))
					.array("uuid", messages.stream().map((message) -> message.messageId().value()).toArray(UUID[]::new))
					.array("bytea", hashes.toArray(byte[][]::new))
					.number((this.retention != null) ? this.retention.toMillis() : null),
				(rows) -> known.put(rows.getInt("place") - 1, rows.getBytes("known_hash")));
		return known;
	}

}

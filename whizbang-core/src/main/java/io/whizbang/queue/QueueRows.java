package io.whizbang.queue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.queue.JdbcQueueStore.TakenBatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads rows about work queues.
 */
final class QueueRows {

	// Headers have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper HEADERS = JsonMapper.shared();

	private final ResultSet rows;

	QueueRows(ResultSet rows) {
		this.rows = rows;
	}

	boolean hasKey() throws SQLException {
		return this.rows.getObject("key_id") != null;
	}

	long place() throws SQLException {
		return this.rows.getLong("seq");
	}

	@SuppressWarnings("unchecked")
	Row message(String queue) throws SQLException {
		UUID keyId = this.rows.getObject("key_id", UUID.class);
		String key = this.rows.getString("routing_key");
		String headers = this.rows.getString("headers");
		Envelope envelope = new Envelope(MessageId.of(this.rows.getObject("message_id", UUID.class)), queue,
				this.rows.getString("message_type"), (key != null) ? StreamId.of(key) : null,
				headers.equals("{}") ? Map.of() : HEADERS.readValue(headers, Map.class), this.rows.getString("payload"),
				instant("created_at"));
		return new Row(keyId, key, this.rows.getObject("token", UUID.class),
				new QueuedMessage(this.rows.getLong("seq"), this.rows.getInt("attempts") + 1,
						this.rows.getString("error"), envelope),
				Duration.ofMillis(Math.max(0, this.rows.getLong("waited_ms"))));
	}

	static List<TakenBatch> batches(String queue, List<Row> rows) {
		Map<UUID, List<Row>> byKey = new LinkedHashMap<>();
		rows.forEach((row) -> byKey.computeIfAbsent(row.keyId(), (key) -> new ArrayList<>()).add(row));
		List<TakenBatch> batches = new ArrayList<>(byKey.size());
		byKey.forEach((keyId, ofKey) -> {
			Row first = ofKey.get(0);
			batches.add(new TakenBatch(
					new QueueBatch(queue, first.key(), keyId, first.token(), ofKey.stream().map(Row::message).toList()),
					first.waited()));
		});
		return batches;
	}

	QueueMarks marks() throws SQLException {
		return new QueueMarks(this.rows.getLong("low"), instant("due_from"));
	}

	QueueTotals totals() throws SQLException {
		return new QueueTotals(this.rows.getInt("queues"), this.rows.getInt("paused"), this.rows.getInt("ready"),
				this.rows.getInt("waiting"), this.rows.getInt("locked"), this.rows.getInt("messages"),
				this.rows.getInt("delayed"), this.rows.getInt("dead_letters"), oldest());
	}

	private @Nullable Duration oldest() throws SQLException {
		long oldest = this.rows.getLong("oldest_ms");
		return this.rows.wasNull() ? null : Duration.ofMillis(Math.max(0, oldest));
	}

	QueueStatus status() throws SQLException {
		return new QueueStatus(this.rows.getString("name"), this.rows.getInt("ready"), this.rows.getInt("waiting"),
				this.rows.getInt("locked"), this.rows.getInt("messages"), this.rows.getInt("delayed"),
				this.rows.getInt("dead_letters"), oldest(), optional("paused_at"), this.rows.getString("paused_by"));
	}

	QueueKey key() throws SQLException {
		return new QueueKey(this.rows.getObject("key_id", UUID.class), this.rows.getString("routing_key"),
				this.rows.getInt("state") == 2, this.rows.getInt("failures"), instant("due_at"), optional("locked_at"),
				this.rows.getString("holder"));
	}

	private Instant instant(String column) throws SQLException {
		return this.rows.getObject(column, OffsetDateTime.class).toInstant();
	}

	private @Nullable Instant optional(String column) throws SQLException {
		OffsetDateTime time = this.rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	/**
	 * A message with its lock.
	 *
	 * @param keyId what the database knows its key by
	 * @param key its key, or {@code null}
	 * @param token the lock
	 * @param message the message
	 * @param waited how long it has been waiting
	 */
	record Row(UUID keyId, @Nullable String key, UUID token, QueuedMessage message, Duration waited) {
	}

}

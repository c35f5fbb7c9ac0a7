package io.whizbang.letter;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead letters and what was decided about them.
 */
final class LetterRows {

	private static final Map<Integer, Queue> QUEUES = Stream.of(Queue.values())
		.collect(Collectors.toMap(Queue::number, (queue) -> queue));

	private final ResultSet rows;

	private final LetterJson json;

	LetterRows(ResultSet rows, LetterJson json) {
		this.rows = rows;
		this.json = json;
	}

	DeadLetterSummary summary() throws SQLException {
		Queue queue = queue();
		return new DeadLetterSummary(this.rows.getLong("dead_letter_id"), queue, source(queue),
				this.rows.getString("reason"), this.rows.getInt("attempts"), this.rows.getString("error"),
				time("died_at"), this.rows.getInt("replays"), messageId(), this.rows.getString("topic"),
				this.rows.getString("message_type"), stream());
	}

	PickedLetter picked() throws SQLException {
		return new PickedLetter(this.rows.getLong("dead_letter_id"), queue(),
				this.rows.getObject("spread_by", UUID.class));
	}

	/** The letter without its history. */
	DeadLetter letter() throws SQLException {
		Queue queue = queue();
		Map<String, String> headers = this.json.readHeaders(this.rows.getString("headers"));
		return new DeadLetter(this.rows.getLong("dead_letter_id"), queue, source(queue), this.rows.getString("reason"),
				this.rows.getInt("attempts"), this.rows.getString("error"), time("died_at"),
				this.rows.getObject("instance_id", UUID.class), headers, message(headers), raw(), List.of());
	}

	private byte[] raw() throws SQLException {
		byte[] raw = this.rows.getBytes("raw");
		return (raw != null) ? raw : new byte[0];
	}

	private @Nullable Envelope message(Map<String, String> headers) throws SQLException {
		MessageId id = messageId();
		return (id != null) ? new Envelope(id, this.rows.getString("topic"), this.rows.getString("message_type"),
				stream(), headers, this.rows.getString("payload"), time("created_at")) : null;
	}

	AuditEntry entry() throws SQLException {
		Queue queue = queue();
		Action action = Action.valueOf(this.rows.getString("action").toUpperCase(Locale.ROOT));
		Operator by = new Operator(this.rows.getString("decided_by"), this.rows.getString("note"));
		return new AuditEntry(this.rows.getLong("audit_id"), action, time("decided_at"), by,
				this.rows.getLong("dead_letter_id"), queue, source(queue), messageId(), this.rows.getString("topic"),
				this.rows.getString("reason"), this.rows.getInt("attempts"), this.rows.getString("error"),
				time("created_at"), time("died_at"));
	}

	/** Queries ask only for queues that this release knows. */
	private Queue queue() throws SQLException {
		Queue queue = QUEUES.get(this.rows.getInt("queue"));
		if (queue == null) {
			throw new IllegalStateException("Queue %d is not known here".formatted(this.rows.getInt("queue")));
		}
		return queue;
	}

	private String source(Queue queue) throws SQLException {
		String source = this.rows.getString("source");
		return (source != null) ? source : queue.label();
	}

	private @Nullable MessageId messageId() throws SQLException {
		UUID id = this.rows.getObject("message_id", UUID.class);
		return (id != null) ? MessageId.of(id) : null;
	}

	private @Nullable StreamId stream() throws SQLException {
		UUID id = this.rows.getObject("stream_id", UUID.class);
		String key = this.rows.getString("stream_key");
		if (id == null) {
			return null;
		}
		return (key != null) ? new StreamId(id, key) : StreamId.of(id);
	}

	private Instant time(String column) throws SQLException {
		return this.rows.getObject(column, OffsetDateTime.class).toInstant();
	}

}

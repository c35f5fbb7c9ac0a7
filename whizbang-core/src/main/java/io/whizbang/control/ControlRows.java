package io.whizbang.control;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;

import io.whizbang.message.MessageId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what operators see.
 */
final class ControlRows {

	private final ResultSet rows;

	ControlRows(ResultSet rows) {
		this.rows = rows;
	}

	PausedWorker paused() throws SQLException {
		return new PausedWorker(text("worker"), at("paused_at"), text("paused_by"), this.rows.getString("note"));
	}

	Registration registration() throws SQLException {
		Integer rank = this.rows.getObject("rank", Integer.class);
		return new Registration(this.rows.getObject("instance_id", UUID.class), text("service_name"), text("host_name"),
				this.rows.getLong("process_id"), this.rows.getInt("queue"), (rank != null) ? rank : -1,
				this.rows.getInt("members"), at("started_at"), at("last_heartbeat_at"),
				Duration.ofMillis(this.rows.getLong("silent_ms")), this.rows.getInt("claims"),
				this.rows.getLong("messages"));
	}

	BlockedStream blocked(Queue queue) throws SQLException {
		UUID instance = this.rows.getObject("instance_id", UUID.class);
		String host = this.rows.getString("host_name");
		BlockedStream.Holder holder = (instance == null) ? null : new BlockedStream.Holder(instance,
				(host != null) ? host + ":" + this.rows.getLong("process_id") : null, at("lease_expiry"));
		String stream = this.rows.getString("stream_key");
		return new BlockedStream(queue, this.rows.getLong("seq"),
				(stream != null) ? stream : Objects.toString(this.rows.getObject("stream_id"), null),
				MessageId.of(this.rows.getObject("message_id", UUID.class)), text("topic"), text("message_type"),
				this.rows.getInt("attempts"), this.rows.getString("error"), at("created_at"), at("due_at"),
				this.rows.getBoolean("is_due"), this.rows.getInt("behind"), holder);
	}

	private String text(String column) throws SQLException {
		return Objects.requireNonNull(this.rows.getString(column), column);
	}

	private Instant at(String column) throws SQLException {
		return Objects.requireNonNull(time(column), column);
	}

	private @Nullable Instant time(String column) throws SQLException {
		OffsetDateTime time = this.rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}

package io.whizbang.perspective;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveStatus.State;
import org.jspecify.annotations.Nullable;

/**
 * Reads how perspectives stand.
 */
final class StatusRows {

	private final ResultSet rows;

	StatusRows(ResultSet rows) {
		this.rows = rows;
	}

	PerspectiveStatus status() throws SQLException {
		Instant started = time("started_at");
		return new PerspectiveStatus(run(this.rows.getString("name")),
				(this.rows.getInt("status") == 1) ? State.SERVING : State.BUILDING, this.rows.getBoolean("paused"),
				this.rows.getInt("shards"), this.rows.getInt("held"), this.rows.getLong("done"),
				this.rows.getLong("total"), this.rows.getLong("behind"), this.rows.getInt("retrying"),
				this.rows.getInt("dead"), 0, null, (started != null) ? started : Instant.EPOCH, time("moved_at"));
	}

	StoppedStream stopped(String name) throws SQLException {
		UUID id = this.rows.getObject("stream_id", UUID.class);
		String key = this.rows.getString("stream_key");
		return new StoppedStream(run(name), (key != null) ? new StreamId(id, key) : StreamId.of(id),
				this.rows.getLong("stream_version"), this.rows.getInt("status") == 2, this.rows.getInt("attempts"),
				time("next_attempt_at"), this.rows.getString("error"), time("failed_at"));
	}

	PerspectiveRun run(String name) throws SQLException {
		return new PerspectiveRun(name, this.rows.getInt("version"), this.rows.getInt("run"));
	}

	private @Nullable Instant time(String column) throws SQLException {
		OffsetDateTime time = this.rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}

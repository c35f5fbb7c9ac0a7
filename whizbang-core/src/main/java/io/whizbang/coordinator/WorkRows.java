package io.whizbang.coordinator;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Claim;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * Reads claimed messages; finds the columns once, not once per message.
 */
final class WorkRows {

	private final ResultSet rows;

	private final ExchangeJson json;

	private final int first;

	WorkRows(ResultSet rows, ExchangeJson json) throws SQLException {
		this.rows = rows;
		this.json = json;
		this.first = rows.findColumn("seq");
	}

	Work read(Claim claim) throws SQLException {
		int column = this.first;
		long seq = this.rows.getLong(column);
		MessageId id = MessageId.of(this.rows.getObject(column + 1, UUID.class));
		StreamId stream = stream(this.rows.getObject(column + 2, UUID.class), this.rows.getString(column + 3));
		int attempts = this.rows.getInt(column + 4);
		String error = this.rows.getString(column + 5);
		Envelope envelope = new Envelope(id, this.rows.getString(column + 6), this.rows.getString(column + 7), stream,
				this.json.readHeaders(this.rows.getString(column + 8)), this.rows.getString(column + 9),
				this.rows.getObject(column + 10, OffsetDateTime.class).toInstant());
		return new Work(claim, seq, attempts, error, envelope);
	}

	private static @Nullable StreamId stream(@Nullable UUID id, @Nullable String key) {
		if (id == null) {
			return null;
		}
		return (key != null) ? new StreamId(id, key) : StreamId.of(id);
	}

}

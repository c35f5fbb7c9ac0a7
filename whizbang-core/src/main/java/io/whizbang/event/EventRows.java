package io.whizbang.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.whizbang.message.StreamId;

/**
 * Reads events and streams.
 */
final class EventRows {

	private final ResultSet rows;

	EventRows(ResultSet rows) {
		this.rows = rows;
	}

	EventPage page() throws SQLException {
		List<RawEvent> events = new ArrayList<>();
		int seen = 0;
		while (this.rows.next()) {
			seen = this.rows.getInt("seen");
			events.add(event());
		}
		return new EventPage(events, seen);
	}

	private RawEvent event() throws SQLException {
		return new RawEvent(this.rows.getLong("event_position"), this.rows.getObject("stream_id", UUID.class),
				this.rows.getString("stream_key"), this.rows.getLong("version"),
				this.rows.getObject("event_id", UUID.class),
				new EventTypeName(this.rows.getString("event_type"), this.rows.getInt("type_version")),
				this.rows.getString("metadata"), this.rows.getString("payload"), time("recorded_at"));
	}

	StreamInfo info(StreamId stream) throws SQLException {
		return this.rows.next()
				? new StreamInfo(stream, this.rows.getLong("version"), time("created_at"), time("appended_at"))
				: StreamInfo.none(stream);
	}

	/** Nothing when the stream does not stand where it was expected to. */
	List<Appended> appended(StreamAppend append) throws SQLException {
		long version = 0;
		long position = 0;
		while (this.rows.next()) {
			version = this.rows.getLong("version");
			position = this.rows.getLong("position");
		}
		return (version > 0)
				? List.of(new Appended(append.stream(), version - append.events().size() + 1, version, position))
				: List.of();
	}

	List<Appended> appended(List<StreamAppend> appends) throws SQLException {
		List<Appended> appended = new ArrayList<>(appends.size());
		while (this.rows.next()) {
			StreamAppend append = appends.get(this.rows.getInt("place") - 1);
			long found = this.rows.getLong("stood");
			if (!this.rows.getBoolean("moved")) {
				throw new OptimisticConcurrencyException(append.stream(), append.expected(), found);
			}
			appended.add(new Appended(append.stream(), found + 1, found + append.events().size(),
					this.rows.getLong("last_position")));
		}
		return appended;
	}

	private Instant time(String column) throws SQLException {
		return this.rows.getObject(column, OffsetDateTime.class).toInstant();
	}

}

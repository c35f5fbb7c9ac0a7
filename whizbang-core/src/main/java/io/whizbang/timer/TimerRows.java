package io.whizbang.timer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads pending timers.
 */
final class TimerRows {

	private static final JsonMapper HEADERS = JsonMapper.shared();

	private final ResultSet rows;

	TimerRows(ResultSet rows) {
		this.rows = rows;
	}

	/** The last row of a page is a place when there may be more. */
	static TimerPage page(List<Entry> entries) {
		List<PendingTimer> timers = new ArrayList<>();
		String next = null;
		for (Entry entry : entries) {
			if (entry.timer() != null) {
				timers.add(entry.timer());
			}
			else {
				next = String.valueOf(entry.place());
			}
		}
		return new TimerPage(timers, next);
	}

	Entry entry() throws SQLException {
		return (this.rows.getObject("message_id") != null) ? new Entry(read(), null)
				: new Entry(null, new TimerPlace(time("due_at"), this.rows.getLong("id")));
	}

	@SuppressWarnings("unchecked")
	PendingTimer read() throws SQLException {
		return new PendingTimer(TimerId.of(this.rows.getObject("message_id", UUID.class)),
				this.rows.getString("timer_key"), this.rows.getString("topic"), this.rows.getString("message_type"),
				stream(this.rows.getObject("stream_id", UUID.class), this.rows.getString("stream_key")),
				HEADERS.readValue(this.rows.getString("headers"), Map.class), this.rows.getString("payload"),
				time("timer_due"), time("created_at"));
	}

	private Instant time(String column) throws SQLException {
		return this.rows.getObject(column, OffsetDateTime.class).toInstant();
	}

	private static @Nullable StreamId stream(@Nullable UUID id, @Nullable String key) {
		if (id == null) {
			return null;
		}
		return (key != null) ? new StreamId(id, key) : StreamId.of(id);
	}

	/**
	 * A row of a page.
	 *
	 * @param timer the timer, or {@code null}
	 * @param place where the page ends, or {@code null}
	 */
	record Entry(@Nullable PendingTimer timer, @Nullable TimerPlace place) {
	}

}

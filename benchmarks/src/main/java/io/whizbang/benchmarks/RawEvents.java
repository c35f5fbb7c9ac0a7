package io.whizbang.benchmarks;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The limit: an insert into a table with the columns and indexes of the event store. The
 * version of a stream is counted in this process; nobody checks it or locks the stream.
 */
final class RawEvents {

	private static final String INSERT = """
			insert into raw_events (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
			values (?, clock_timestamp(), ?, ?, 1, 'sold', '{}', ?)""";

	private final JdbcTemplate jdbc;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final AtomicLongArray versions;

	RawEvents(JdbcTemplate jdbc, int streams) {
		this.jdbc = jdbc;
		this.versions = new AtomicLongArray(streams);
		jdbc.execute("create table if not exists raw_events (like whizbang.wh_events including all)");
	}

	void append(int stream, StreamId id, List<Sold> events) {
		List<Object[]> rows = events.stream()
			.map((event) -> new Object[] { this.versions.incrementAndGet(stream), id.value(), MessageId.next().value(),
					this.mapper.writeValueAsString(event) })
			.toList();
		if (rows.size() == 1) {
			this.jdbc.update(INSERT, rows.get(0));
		}
		else {
			this.jdbc.batchUpdate(INSERT, rows);
		}
	}

	void clear() {
		this.jdbc.execute("truncate raw_events");
	}

}

package io.whizbang.benchmarks;

import java.util.UUID;

import io.whizbang.message.StreamId;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Fills the event store faster than by appending, with rows that are the same.
 */
final class EventLoad {

	private static final int AT_ONCE = 50_000;

	private EventLoad() {
	}

	/** Returns the stream with a number. */
	static StreamId stream(int number) {
		return StreamId.of(new UUID(0x5a1e_0000_0000_4000L, 0x8000_0000_0000_0000L | number));
	}

	/**
	 * Writes events.
	 * @param jdbc where to
	 * @param events how many
	 * @param streams over how many streams
	 * @param burst how many events of one stream come in a row
	 */
	static void run(JdbcTemplate jdbc, int events, int streams, int burst) {
		for (int from = 0; from < events; from += AT_ONCE) {
			jdbc.update(
					"""
							insert into whizbang.wh_events
							    (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
							select (n / (? * ?)) * ? + n % ? + 1, clock_timestamp(),
							    ('5a1e0000-0000-4000-8000-' || lpad(to_hex((n / ?) % ?), 12, '0'))::uuid, gen_random_uuid(), 1, 'sold', '{}',
							    format('{"number":%s,"product":"product-%s","amount":%s,"text":"%s"}', n, n % 100, n % 1000, ?::text)
							from generate_series(?, ?) n order by n""",
					burst, streams, burst, burst, burst, streams, Payload.TEXT, from,
					Math.min(events, from + AT_ONCE) - 1);
		}
		jdbc.update(
				"""
						insert into whizbang.wh_streams (stream_id, version, created_at, appended_at)
						select stream_id, count(*), min(recorded_at), max(recorded_at) from whizbang.wh_events group by stream_id""");
		jdbc.execute("vacuum analyze whizbang.wh_events, whizbang.wh_streams");
		jdbc.execute("checkpoint");
	}

	/** Removes all events, and all that is known about perspectives. */
	static void clear(JdbcTemplate jdbc) {
		jdbc.execute("truncate whizbang.wh_events, whizbang.wh_streams");
		forgetPerspectives(jdbc);
	}

	static void forgetPerspectives(JdbcTemplate jdbc) {
		jdbc.execute("""
				truncate whizbang.wh_perspectives, whizbang.wh_perspective_shards, whizbang.wh_perspective_checkpoints,
				    whizbang.wh_perspective_mappings""");
	}

}

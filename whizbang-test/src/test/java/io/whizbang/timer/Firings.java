package io.whizbang.timer;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the database itself notes of every timer that becomes a message: which, when it
 * was due, and what time it was.
 */
public final class Firings {

	private final JdbcTemplate jdbc;

	private Firings(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	public static Firings watch(JdbcTemplate jdbc) {
		jdbc.execute(
				"""
						drop table if exists firing cascade;
						create table firing (message_id uuid, due timestamptz, fired timestamptz default clock_timestamp());
						create or replace function note_firing() returns trigger language plpgsql as $$
						begin
						    if new.headers ? 'whizbang-timer-due' then
						        insert into firing values (new.message_id, (new.headers ->> 'whizbang-timer-due')::timestamptz);
						    end if;
						    return null;
						end $$;
						drop trigger if exists note_firing on whizbang.wh_outbox;
						create trigger note_firing after insert on whizbang.wh_outbox for each row execute function note_firing()""");
		return new Firings(jdbc);
	}

	/** How often each timer has fired. */
	public Map<TimerId, Integer> counts() {
		Map<TimerId, Integer> counts = new HashMap<>();
		this.jdbc.query("select message_id, count(*) from firing group by message_id", (rows) -> {
			counts.put(TimerId.of(rows.getObject(1, UUID.class)), rows.getInt(2));
		});
		return counts;
	}

	/** For which time each timer has fired. */
	public Map<TimerId, Instant> dues() {
		Map<TimerId, Instant> dues = new HashMap<>();
		this.jdbc.query("select message_id, due from firing", (rows) -> {
			dues.put(TimerId.of(rows.getObject(1, UUID.class)), rows.getTimestamp(2).toInstant());
		});
		return dues;
	}

	/** How many timers have fired before they were due. */
	public int early() {
		return number("select count(*) from firing where fired < due").intValue();
	}

	/** How late timers were in milliseconds, as a percentile. */
	public double late(double percentile) {
		return number(
				"select coalesce(percentile_cont(%s) within group (order by extract(epoch from fired - due) * 1000), 0) from firing"
					.formatted(percentile))
			.doubleValue();
	}

	private Number number(String sql) {
		Number number = this.jdbc.queryForObject(sql, Number.class);
		return (number != null) ? number : -1;
	}

}

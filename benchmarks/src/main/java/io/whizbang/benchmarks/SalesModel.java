package io.whizbang.benchmarks;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A read model of one row per stream, written by a batch with one upsert per event: the
 * same for all who keep it up to date.
 */
final class SalesModel {

	private final JdbcTemplate jdbc;

	SalesModel(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
	}

	void create(String table) {
		this.jdbc.execute("""
				create table if not exists %s (stream_id uuid primary key, events int not null, amount bigint not null,
				    last_number int not null) with (fillfactor = 70)""".formatted(table));
	}

	void drop(String table) {
		this.jdbc.execute("drop table if exists " + table);
	}

	void empty(String table) {
		this.jdbc.execute("truncate " + table);
	}

	/** Applies changes, in the current transaction. */
	void apply(String table, List<Change> changes) {
		this.jdbc.batchUpdate("""
				insert into %s as s (stream_id, events, amount, last_number) values (?, 1, ?, ?)
				on conflict (stream_id) do update set events = s.events + 1, amount = s.amount + excluded.amount,
				    last_number = excluded.last_number""".formatted(table),
				changes.stream()
					.map((change) -> new Object[] { change.stream(), change.sold().amount(), change.sold().number() })
					.toList());
	}

	/**
	 * Counts the streams whose row is not what their events say.
	 * @param table the model
	 * @return how many
	 */
	long wrong(String table) {
		Long wrong = this.jdbc.queryForObject("""
				select count(*)
				from (select e.stream_id, count(*) as events, sum((e.payload::json ->> 'amount')::bigint) as amount
				      from whizbang.wh_events e group by e.stream_id) f
				     full join %s s on s.stream_id = f.stream_id
				where s.events is distinct from f.events or s.amount is distinct from f.amount""".formatted(table),
				Long.class);
		return (wrong != null) ? wrong : -1;
	}

	/**
	 * What an event does to the model.
	 *
	 * @param stream its stream
	 * @param sold what it says
	 */
	record Change(UUID stream, Sold sold) {

	}

}

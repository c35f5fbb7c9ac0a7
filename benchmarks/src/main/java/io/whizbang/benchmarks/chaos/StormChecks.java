package io.whizbang.benchmarks.chaos;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares what was committed with what became of it.
 */
final class StormChecks {

	private final JdbcTemplate jdbc;

	private final Troubles troubles;

	StormChecks(JdbcTemplate jdbc, Troubles troubles) {
		this.jdbc = jdbc;
		this.troubles = troubles;
	}

	/** What can be seen at any time. */
	void sample() {
		find("shared partition", "select 'partition ' || p from whizbang.wh_claims c, unnest(c.partitions) p "
				+ "group by c.queue, p having count(distinct c.instance_id) > 1");
		find("message in two claims",
				"select 'message ' || s from whizbang.wh_claims c, unnest(c.seqs) s group by s having count(*) > 1");
		find("deadlock", "select deadlocks || ' since the last crash' from pg_stat_database "
				+ "where datname = current_database() and deadlocks > 0");
	}

	/** What can be seen when everything is delivered. */
	void conclude() {
		this.jdbc.execute(
				"""
						create table storm_first as
						select distinct on (message_id) message_id, stream_id, seq, id from storm_delivery order by message_id, id;
						create index on storm_first (message_id);
						create index on storm_audit (message_id);
						analyze storm_first, storm_audit""");
		find("left over", "select seq || ' status ' || status from whizbang.wh_messages");
		find("left over", "select 'claim ' || claim_id from whizbang.wh_claims");
		find("invented", """
				select f.message_id from storm_first f
				where not exists (select from storm_audit a where a.message_id = f.message_id)""");
		find("lost", """
				select a.message_id from storm_audit a
				where not exists (select from storm_first f where f.message_id = a.message_id)
				  and not exists (select from whizbang.wh_dead_letters d where d.message_id = a.message_id)""");
		find("order",
				"""
						select o.stream_id || ' has ' || o.seq || ' delivered first after ' || o.highest
						from (select f.stream_id, f.seq, max(f.seq) over (
						          partition by f.stream_id order by f.id rows between unbounded preceding and 1 preceding) as highest
						      from storm_first f where f.stream_id is not null) o
						where o.seq < o.highest""");
		find("commit order", """
				select o.stream_id || ' at ' || o.seq
				from (select p.stream_id, p.seq, (t.committed_at, a.place) as now,
				          lag((t.committed_at, a.place)) over (partition by p.stream_id order by p.seq) as before
				      from (select f.message_id, f.stream_id, f.seq from storm_first f
				            union
				            select d.message_id, d.stream_id, d.seq from whizbang.wh_dead_letters d) p
				           join storm_audit a on a.message_id = p.message_id
				           cross join lateral (select pg_xact_commit_timestamp(a.xid::xid) as committed_at) t
				      where p.stream_id is not null) o
				where o.now < o.before""");
	}

	private void find(String kind, String sql) {
		this.jdbc.queryForList(sql, String.class).forEach((found) -> this.troubles.add(kind, found));
	}

}

package io.whizbang.chaos;

import java.util.List;

import io.whizbang.chaos.Findings.Kind;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares, at the end, what was committed with what became of it.
 */
final class LastLook {

	private final JdbcTemplate jdbc;

	private final Findings findings;

	LastLook(JdbcTemplate jdbc, Findings findings) {
		this.jdbc = jdbc;
		this.findings = findings;
	}

	void check(Deliveries deliveries) {
		store(deliveries);
		find(Kind.INVENTED, """
				select f.message_id from chaos_first_delivery f
				where not exists (select from chaos_audit a where a.message_id = f.message_id)
				union all
				select d.message_id from whizbang.wh_dead_letters d
				where not exists (select from chaos_audit a where a.message_id = d.message_id)""");
		find(Kind.LOST, """
				select a.message_id from chaos_audit a
				where not exists (select from chaos_first_delivery f where f.message_id = a.message_id)
				  and not exists (select from whizbang.wh_dead_letters d where d.message_id = a.message_id)""");
		find(Kind.TWICE, """
				select d.message_id from whizbang.wh_dead_letters d group by d.message_id having count(*) > 1""");
		find(Kind.LEFT_OVER, "select seq || ' status ' || status from whizbang.wh_messages");
		find(Kind.LEFT_OVER, "select 'claim ' || claim_id from whizbang.wh_claims");
		find(Kind.LEFT_OVER, "select 'scheduled ' || id from whizbang.wh_scheduled");
		find(Kind.COMMIT_ORDER,
				"""
						select o.stream_id || ' at ' || o.seq
						from (select p.stream_id, p.seq, (t.committed_at, a.place) as now,
						          lag((t.committed_at, a.place)) over (partition by p.stream_id order by p.seq) as before
						      from (select f.message_id, f.seq, a.stream_id from chaos_first_delivery f join chaos_audit a using (message_id)
						            union
						            select d.message_id, d.seq, d.stream_id from whizbang.wh_dead_letters d) p
						           join chaos_audit a on a.message_id = p.message_id
						           cross join lateral (select pg_xact_commit_timestamp(a.xid::xid) as committed_at) t
						      where p.stream_id is not null and not a.delayed) o
						where o.now < o.before""");
		find(Kind.DEADLOCK, """
				select deadlocks || ' in the whole run' from pg_stat_database
				where datname = current_database() and deadlocks > 0""");
	}

	private void store(Deliveries deliveries) {
		List<Object[]> rows = deliveries.firsts()
			.stream()
			.map((first) -> new Object[] { first.id(), first.seq() })
			.toList();
		this.jdbc.batchUpdate("insert into chaos_first_delivery values (?, ?)", rows);
		this.jdbc.execute("analyze chaos_audit, chaos_first_delivery");
	}

	private void find(Kind kind, String sql) {
		this.jdbc.queryForList(sql, String.class).forEach((found) -> this.findings.add(kind, found));
	}

}

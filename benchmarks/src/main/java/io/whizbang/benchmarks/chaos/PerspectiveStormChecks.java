package io.whizbang.benchmarks.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares what was appended with what the perspectives made of it.
 */
final class PerspectiveStormChecks {

	private final JdbcTemplate jdbc;

	private final Troubles troubles;

	PerspectiveStormChecks(JdbcTemplate jdbc, Troubles troubles) {
		this.jdbc = jdbc;
		this.troubles = troubles;
	}

	void conclude() {
		this.jdbc.execute("create index on storm_applied (name, position); analyze storm_applied");
		find("stream with holes",
				"""
						select o.stream_id || ' at ' || o.version
						from (select e.*, lag(e.version, 1, 0::bigint) over (partition by e.stream_id order by e.version) as before
						      from whizbang.wh_events e) o
						where o.version <> o.before + 1""");
		find("stopped stream", "select run_id || ' ' || stream_id || ' at ' || version || ' ' || coalesce(error, '') "
				+ "from whizbang.wh_perspective_checkpoints where status <> 0");
		find("dead letter", "select message_id::text from whizbang.wh_dead_letters");
		find("behind", """
				select c.run_id || ' ' || c.stream_id || ' at ' || c.version || ' instead of ' || s.version
				from whizbang.wh_perspective_checkpoints c join whizbang.wh_streams s using (stream_id)
				where c.version <> s.version""");
		for (String name : List.of(StormPerspective.SHARDED, StormPerspective.GLOBAL)) {
			find(name + " lost or repeated",
					"""
							select 'position ' || e.position || ' ' || e.stream_id || '/' || e.version || ' applied ' || count(a.id) || ' times'
							from whizbang.wh_events e
							     left join storm_applied a on a.name = ? and a.position = e.position
							          and a.stream_id = e.stream_id and a.version = e.version
							group by e.position having count(a.id) <> 1""",
					name);
			find(name + " invented", """
					select 'position ' || a.position from storm_applied a
					where a.name = ? and not exists (select from whizbang.wh_events e where e.position = a.position)""",
					name);
			find(name + " order",
					"""
							select o.stream_id || ' has ' || o.version || ' applied after ' || o.before
							from (select a.*, lag(a.version, 1, 0::bigint) over (partition by a.stream_id order by a.id) as before
							      from storm_applied a where a.name = ?) o
							where o.version <> o.before + 1""",
					name);
			compareFolds(name);
		}
	}

	private void compareFolds(String name) {
		Map<UUID, Long> folds = new HashMap<>();
		this.jdbc.query(
				"select stream_id, (payload::json ->> 'value')::bigint from whizbang.wh_events order by stream_id, version",
				(rows) -> {
					long value = rows.getLong(2);
					folds.merge(rows.getObject(1, UUID.class), value, Happened::fold);
				});
		Map<UUID, Long> model = new HashMap<>();
		this.jdbc.query("select stream_id, fold from storm_fold where name = ?", (rows) -> {
			model.put(rows.getObject(1, UUID.class), rows.getLong(2));
		}, name);
		folds.forEach((stream, fold) -> {
			if (!fold.equals(model.get(stream))) {
				this.troubles.add(name + " model", stream + " is " + model.get(stream) + " instead of " + fold);
			}
		});
		if (model.size() != folds.size()) {
			this.troubles.add(name + " model", model.size() + " streams instead of " + folds.size());
		}
	}

	private void find(String kind, String sql, Object... arguments) {
		this.jdbc.queryForList(sql, String.class, arguments).forEach((found) -> this.troubles.add(kind, found));
	}

}

package io.whizbang.benchmarks.peer;

import java.util.List;

import io.whizbang.benchmarks.ProcessorTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What was used so far.
 *
 * @param processors time on processors
 * @param log bytes of write-ahead log
 * @param statements statements of this database, without those that only begin and end
 * transactions
 */
record Usage(ProcessorTime processors, long log, long statements) {

	static Usage now(JdbcTemplate jdbc, ProcessHandle database) {
		return new Usage(ProcessorTime.now(database),
				number(jdbc, "select (pg_current_wal_insert_lsn() - '0/0')::bigint"), number(jdbc, """
						select coalesce(sum(calls), 0)::bigint from pg_stat_statements
						where dbid = (select oid from pg_database where datname = current_database())
						    and query !~* '^(begin|commit|rollback)'"""));
	}

	private static long number(JdbcTemplate jdbc, String sql) {
		List<Long> found = jdbc.queryForList(sql, Long.class);
		return found.get(0);
	}

	Usage since(Usage before) {
		return new Usage(this.processors.since(before.processors), this.log - before.log,
				this.statements - before.statements);
	}

	/** Microseconds on processors, application and database together. */
	double micros() {
		return this.processors.total().toNanos() / 1e3;
	}

}

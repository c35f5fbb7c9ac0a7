package io.whizbang.benchmarks;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The table of db-scheduler's {@code postgresql_tables.sql}, without the index for
 * priorities, which nobody uses here.
 */
public final class DbSchedulerTable {

	private DbSchedulerTable() {
	}

	public static void create(DataSource dataSource) {
		new JdbcTemplate(dataSource).execute("""
				create table if not exists scheduled_tasks (
				    task_name text not null,
				    task_instance text not null,
				    task_data bytea,
				    execution_time timestamp with time zone not null,
				    picked boolean not null,
				    picked_by text,
				    last_success timestamp with time zone,
				    last_failure timestamp with time zone,
				    consecutive_failures int,
				    last_heartbeat timestamp with time zone,
				    version bigint not null,
				    priority smallint,
				    primary key (task_name, task_instance));
				create index if not exists execution_time_idx on scheduled_tasks (execution_time);
				create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat)""");
	}

}

package io.whizbang.chaos;

import java.util.Map;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * A database with Whizbang's schema and the tables in which producers note what they
 * commit, on a server that knows when each transaction was committed.
 */
final class ChaosDatabase implements AutoCloseable {

	static final String SCHEMA = "whizbang";

	private final EmbeddedPostgresServer server;

	private final PostgresDatabase database;

	private final SingleConnectionDataSource connection;

	private final JdbcTemplate jdbc;

	private ChaosDatabase(EmbeddedPostgresServer server) {
		this.server = server;
		this.database = server.server().createDatabase("chaos");
		this.connection = new SingleConnectionDataSource(this.database.jdbcUrl(), server.server().username(), "", true);
		this.jdbc = new JdbcTemplate(this.connection);
	}

	static ChaosDatabase create() {
		ChaosDatabase created = new ChaosDatabase(
				EmbeddedPostgresServer.create(Map.of("track_commit_timestamp", "on", "max_connections", "150")));
		new SchemaInstaller(created.database.unpooledDataSource(), SchemaSettings.defaults()).install();
		created.jdbc.execute("""
				create table chaos_audit (message_id uuid, stream_id uuid, place int, delayed boolean,
				    xid xid8 default pg_current_xact_id());
				create table chaos_business (id bigint generated always as identity);
				create table chaos_first_delivery (message_id uuid, seq bigint)""");
		return created;
	}

	PostgresDatabase database() {
		return this.database;
	}

	/** On one connection, for one thread: that of the run. */
	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	int count(String table) {
		Integer count = this.jdbc.queryForObject("select count(*) from " + table, Integer.class);
		return (count != null) ? count : 0;
	}

	/** Takes away whatever an earlier run has left. */
	void clear() {
		this.jdbc.execute("truncate chaos_audit, chaos_business, chaos_first_delivery, whizbang.wh_messages, "
				+ "whizbang.wh_claims, whizbang.wh_scheduled, whizbang.wh_dead_letters, whizbang.wh_completed, "
				+ "whizbang.wh_service_instances, whizbang.wh_perspective_members");
		this.jdbc.execute("select pg_stat_reset()");
	}

	@Override
	public void close() {
		this.connection.destroy();
		this.database.close();
		this.server.close();
	}

}

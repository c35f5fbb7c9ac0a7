package io.whizbang.benchmarks.chaos;

import java.util.Map;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A server that waits for its disk, and on it a database with Whizbang's schema, the
 * notes of producers and the deliveries.
 */
final class StormDatabase implements AutoCloseable {

	static final String SCHEMA = "whizbang";

	private static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on",
			"full_page_writes", "on", "shared_buffers", "128MB", "max_wal_size", "1GB", "track_commit_timestamp", "on");

	private final EmbeddedPostgresServer server = EmbeddedPostgresServer.create(DURABLE);

	private final PostgresDatabase database = this.server.server().createDatabase("storm");

	StormDatabase() {
		new SchemaInstaller(this.database.unpooledDataSource(), SchemaSettings.defaults()).install();
		jdbc().execute("""
				create table storm_audit (message_id uuid, stream_id uuid, place int,
				    xid xid8 default pg_current_xact_id());
				create table storm_delivery (id bigint generated always as identity, message_id uuid, stream_id uuid,
				    seq bigint, process bigint)""");
	}

	PostgresDatabase database() {
		return this.database;
	}

	String url() {
		return this.database.jdbcUrl() + "&user=" + this.server.server().username();
	}

	JdbcTemplate jdbc() {
		return this.database.jdbc();
	}

	long count(String what) {
		Long count = jdbc().queryForObject("select count(*) from " + what, Long.class);
		return (count != null) ? count : 0;
	}

	void restart() {
		this.server.restart();
	}

	/**
	 * Ends the server at once and starts it again: what nobody waited for is forgotten.
	 */
	void crash() {
		this.server.crash();
		this.server.start();
	}

	@Override
	public void close() {
		this.database.close();
		this.server.close();
	}

}

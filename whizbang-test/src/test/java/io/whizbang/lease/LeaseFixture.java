package io.whizbang.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.worker.WorkNotifier;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Leases of several instances in a database of the test's own.
 */
final class LeaseFixture implements LeaseListener {

	static final String SCHEMA = "whizbang";

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	final List<String> heard = new CopyOnWriteArrayList<>();

	LeaseFixture(PostgresDatabase database) {
		this.database = database;
		this.jdbc = database.jdbc();
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc.execute("delete from whizbang.wh_leases");
		this.clock = new DatabaseClock(database.unpooledDataSource());
	}

	JdbcLeases instance(String name) {
		return instance(name, LeaseSettings.defaults());
	}

	JdbcLeases instance(String name, LeaseSettings settings) {
		return new JdbcLeases(table(), info(name), settings, this, null, Duration.ofMillis(20), System::nanoTime);
	}

	/** An instance that never looks by itself while it waits. */
	JdbcLeases listening(String name, WorkNotifier notifier) {
		Duration never = Duration.ofHours(1);
		return new JdbcLeases(table(), info(name), LeaseSettings.defaults().withMaxPause(never), this, notifier, never,
				System::nanoTime);
	}

	JdbcLeases instance(String name, DataSource dataSource) {
		return new JdbcLeases(dataSource, SCHEMA, info(name), LeaseSettings.defaults(), this, null);
	}

	JdbcLeaseTable table() {
		return new JdbcLeaseTable(this.database.dataSource(), SCHEMA, this.clock);
	}

	static InstanceInfo info(String name) {
		return new InstanceInfo(name, "localhost", 1, Map.of());
	}

	int rows() {
		Integer rows = this.jdbc.queryForObject("select count(*) from whizbang.wh_leases", Integer.class);
		return (rows != null) ? rows : 0;
	}

	@Override
	public void acquired(String label) {
		this.heard.add("acquired " + label);
	}

	@Override
	public void refused(String label) {
		this.heard.add("refused " + label);
	}

	@Override
	public void lost(String label) {
		this.heard.add("lost " + label);
	}

	@Override
	public void renewalFailed(Throwable failure) {
		this.heard.add("renewal failed");
	}

}

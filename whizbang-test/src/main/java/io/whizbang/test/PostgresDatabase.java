package io.whizbang.test;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database that belongs to one test, or one test class, and disappears with it. Nothing
 * in it, neither locks nor notifications, is seen by another test.
 */
public final class PostgresDatabase implements AutoCloseable {

	private static final int POOL_SIZE = 10;

	private final PostgresServer server;

	private final String name;

	private final PGSimpleDataSource unpooled;

	private @Nullable HikariDataSource pool;

	private PostgresDatabase(PostgresServer server, String name) {
		this.server = server;
		this.name = name;
		this.unpooled = server.dataSource(name);
	}

	static PostgresDatabase create(PostgresServer server, String label) {
		// template1 may be in use by others on a server that is not ours alone.
		return copy(server, "template0", label);
	}

	static PostgresDatabase copy(PostgresServer server, String template, String label) {
		String name = "wb_" + word(label) + "_" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
		server.administration().execute("create database " + name + " template " + template);
		return new PostgresDatabase(server, name);
	}

	private static String word(String label) {
		String word = label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
		return word.substring(0, Math.min(word.length(), 40));
	}

	/**
	 * Returns the pool of up to ten connections, opened by the first call and closed with
	 * the database.
	 * @return the data source
	 */
	public synchronized DataSource dataSource() {
		if (this.pool == null) {
			this.pool = createPool(POOL_SIZE);
		}
		return this.pool;
	}

	/**
	 * Returns another pool, as another instance of an application would have.
	 * @param size how many connections at most
	 * @return the pool, to be closed by the caller
	 */
	public HikariDataSource createPool(int size) {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.unpooled);
		config.setPoolName(this.name);
		config.setMaximumPoolSize(size);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(10_000);
		return new HikariDataSource(config);
	}

	/**
	 * Returns a data source that opens a connection whenever it is asked for one.
	 * @return the data source
	 */
	public DataSource unpooledDataSource() {
		return this.unpooled;
	}

	/**
	 * Returns a client that works on connections of its own, apart from the pool.
	 * @return the client
	 */
	public JdbcTemplate jdbc() {
		return new JdbcTemplate(this.unpooled);
	}

	/**
	 * Returns the server that the database is on.
	 * @return the server
	 */
	public PostgresServer server() {
		return this.server;
	}

	/**
	 * Returns the database's name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the address for {@code spring.datasource.url}.
	 * @return the JDBC URL, without user and password
	 */
	public String jdbcUrl() {
		return this.unpooled.getUrl();
	}

	/**
	 * Ends every session of the database, as a failover would.
	 * @return how many there were
	 */
	public int terminateBackends() {
		Integer ended = this.server.administration()
			.queryForObject("select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = ?",
					Integer.class, this.name);
		return (ended != null) ? ended : 0;
	}

	/**
	 * Closes the pool, ends what sessions are left and drops the database.
	 */
	@Override
	public synchronized void close() {
		if (this.pool != null) {
			this.pool.close();
		}
		this.server.administration().execute("drop database if exists " + this.name + " with (force)");
	}

	@Override
	public String toString() {
		return jdbcUrl();
	}

}

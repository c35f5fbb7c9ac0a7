package io.whizbang.test;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A PostgreSQL server on which tests create databases of their own.
 */
public final class PostgresServer {

	private final String url;

	private final String username;

	private final @Nullable String password;

	/**
	 * Creates a server that others run.
	 * @param url JDBC URL of a database on the server, whose user may create databases
	 * @param username the user
	 * @param password the user's password, or {@code null} when none is asked for
	 */
	public PostgresServer(String url, String username, @Nullable String password) {
		this.url = url;
		this.username = username;
		this.password = password;
	}

	/**
	 * Returns the server that all tests of this virtual machine share, started by the
	 * first call and stopped at the end of the machine: the one that
	 * {@code WHIZBANG_TEST_URL} names, else a container where Docker and Testcontainers
	 * are at hand, else an embedded server.
	 * @return the server
	 */
	public static PostgresServer shared() {
		return SharedPostgresServer.get();
	}

	/**
	 * Creates an empty database with a name of its own.
	 * @return the database, to be closed
	 */
	public PostgresDatabase createDatabase() {
		return createDatabase("test");
	}

	/**
	 * Creates an empty database with a name of its own.
	 * @param label what its name begins with, for people who look at the server
	 * @return the database, to be closed
	 */
	public PostgresDatabase createDatabase(String label) {
		return PostgresDatabase.create(this, label);
	}

	/**
	 * Returns a client of the database that the server was announced with.
	 * @return the client, which opens a connection for every statement
	 */
	public JdbcTemplate administration() {
		return new JdbcTemplate(dataSource(null));
	}

	/**
	 * Returns the name of the user that owns the databases.
	 * @return the name
	 */
	public String username() {
		return this.username;
	}

	/**
	 * Returns the user's password.
	 * @return the password, or {@code null} when none is asked for
	 */
	public @Nullable String password() {
		return this.password;
	}

	PGSimpleDataSource dataSource(@Nullable String database) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.url);
		dataSource.setUser(this.username);
		dataSource.setPassword(this.password);
		if (database != null) {
			dataSource.setDatabaseName(database);
		}
		try {
			// A test that hangs on a dead server tells nothing.
			dataSource.setProperty("connectTimeout", "10");
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The driver refuses a connect timeout", ex);
		}
		return dataSource;
	}

	@Override
	public String toString() {
		return this.url;
	}

}

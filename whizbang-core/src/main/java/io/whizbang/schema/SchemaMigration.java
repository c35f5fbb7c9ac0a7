package io.whizbang.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One migration, run by the holder of the {@link MigrationLock}.
 */
final class SchemaMigration {

	private static final Logger logger = LoggerFactory.getLogger(SchemaMigration.class);

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private final Changelog changelog;

	private final String schema;

	SchemaMigration(Changelog changelog, String schema) {
		this.changelog = changelog;
		this.schema = schema;
	}

	void run(Connection connection) throws SQLException {
		connection.setAutoCommit(true);
		String statementTimeout = replaceSetting(connection, "statement_timeout", "0");
		try {
			createSchema(connection);
			releaseStaleLock(connection);
			new SchemaCheck(this.changelog, this.schema).refuseUnknownChanges(connection);
			new ChangelogRun(this.changelog, this.schema).update(connection);
			connection.setAutoCommit(true);
			recordVersion(connection);
			logger.info("Schema '{}' is now that of Whizbang {}", this.schema, Changelog.release());
		}
		finally {
			restore(connection, statementTimeout);
		}
	}

	/**
	 * Looks before it creates: PostgreSQL refuses even {@code if not exists} to a role
	 * that may not create schemas, and then the owner of an existing one could not
	 * migrate it.
	 */
	private void createSchema(Connection connection) throws SQLException {
		if (new SchemaHistory(connection, this.schema).hasSchema()) {
			return;
		}
		if (!this.schema.equals(text(connection, "select quote_ident(?)", this.schema))) {
			throw new SchemaException(
					"'%s' is a word of SQL and cannot be a schema name; choose another".formatted(this.schema));
		}
		try (Statement statement = connection.createStatement()) {
			statement.execute("create schema " + this.schema);
		}
		catch (SQLException ex) {
			if (INSUFFICIENT_PRIVILEGE.equals(ex.getSQLState())) {
				throw new SchemaException(
						"Role '%s' may not create schema '%s'. Let an administrator run 'create schema %s authorization %s', or migrate with another role and only validate here"
							.formatted(text(connection, "select current_user"), this.schema, this.schema,
									text(connection, "select quote_ident(current_user)")),
						ex);
			}
			throw ex;
		}
	}

	/**
	 * Liquibase leaves its lock behind when its process is killed, and would wait for it.
	 * The {@link MigrationLock} is held, so whoever took it is gone.
	 */
	private void releaseStaleLock(Connection connection) throws SQLException {
		if (!new SchemaHistory(connection, this.schema).hasTable(ChangelogRun.LOCK_TABLE)) {
			return;
		}
		try (Statement statement = connection.createStatement()) {
			int released = statement
				.executeUpdate("update %s.%s set locked = false, lockgranted = null, lockedby = null where locked"
					.formatted(this.schema, ChangelogRun.LOCK_TABLE));
			if (released > 0) {
				logger.warn("Took over the migration of schema '{}' from an instance that died in it", this.schema);
			}
		}
	}

	private void recordVersion(Connection connection) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement(
				"insert into " + this.schema + ".wh_schema_version (fingerprint, release) values (?, ?)")) {
			insert.setString(1, this.changelog.fingerprint());
			insert.setString(2, Changelog.release());
			insert.executeUpdate();
		}
	}

	private static void restore(Connection connection, String statementTimeout) {
		try {
			if (!connection.getAutoCommit()) {
				connection.rollback();
				connection.setAutoCommit(true);
			}
			replaceSetting(connection, "statement_timeout", statementTimeout);
		}
		catch (SQLException ex) {
			// The connection is broken, and what broke it is on its way up.
			logger.debug("Cannot restore the settings of the migrating connection", ex);
		}
	}

	private static String replaceSetting(Connection connection, String name, String value) throws SQLException {
		String before = text(connection, "select current_setting(?)", name);
		text(connection, "select set_config(?, ?, false)", name, value);
		return before;
	}

	private static String text(Connection connection, String sql, String... parameters) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setString(i + 1, parameters[i]);
			}
			try (ResultSet answer = statement.executeQuery()) {
				answer.next();
				return answer.getString(1);
			}
		}
	}

}

package io.whizbang.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one instance at a time change a schema. The lock ends with its connection, so an
 * instance that dies while migrating blocks nobody, and it belongs to a transaction, so
 * that poolers which share sessions do no harm.
 */
final class MigrationLock implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(MigrationLock.class);

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	/** Shorter than the socket timeouts that people set. */
	private static final Duration ONE_TRY = Duration.ofSeconds(5);

	private final Connection connection;

	private MigrationLock(Connection connection) {
		this.connection = connection;
	}

	static MigrationLock acquire(DataSource dataSource, SchemaSettings settings) throws SQLException {
		Connection connection = dataSource.getConnection();
		try {
			connection.setAutoCommit(false);
			long deadline = System.nanoTime() + settings.lockTimeout().toNanos();
			while (!tryAcquire(connection, settings.name(), settings.lockTimeout())) {
				if (System.nanoTime() - deadline >= 0) {
					throw new SchemaException(
							"Another instance has been migrating schema '%s' for more than %s. See in pg_stat_activity what it waits for, or wait longer with a larger lock timeout"
								.formatted(settings.name(), settings.lockTimeout()));
				}
				logger.info("Waiting for another instance that migrates schema '{}'", settings.name());
			}
			return new MigrationLock(connection);
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private static boolean tryAcquire(Connection connection, String schema, Duration limit) throws SQLException {
		long wait = Math.min(limit.toMillis(), ONE_TRY.toMillis());
		try (Statement statement = connection.createStatement();
				PreparedStatement lock = connection
					.prepareStatement("select pg_advisory_xact_lock(hashtextextended('whizbang schema ' || ?, 0))")) {
			statement.execute("set local statement_timeout = 0");
			statement.execute("set local idle_in_transaction_session_timeout = 0");
			statement.execute("set local lock_timeout = " + wait);
			lock.setString(1, schema);
			lock.execute();
			return true;
		}
		catch (SQLException ex) {
			connection.rollback();
			if (LOCK_NOT_AVAILABLE.equals(ex.getSQLState())) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public void close() throws SQLException {
		try (Connection closing = this.connection) {
			closing.rollback();
			closing.setAutoCommit(true);
		}
	}

}

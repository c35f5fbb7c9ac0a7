package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;

/**
 * Connections on which every statement is a transaction of its own at READ COMMITTED,
 * apart from any transaction of the calling thread.
 */
public final class CoordinatorConnections {

	private final DataSource dataSource;

	private final SQLExceptionTranslator translator = new SQLStateSQLExceptionTranslator();

	/** Asking costs a round trip, so the first connection answers for the pool. */
	private volatile int poolIsolation = Connection.TRANSACTION_NONE;

	/**
	 * Creates a way to connections.
	 * @param dataSource where the schema is
	 */
	public CoordinatorConnections(DataSource dataSource) {
		this.dataSource = target(dataSource);
	}

	private static DataSource target(DataSource dataSource) {
		if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			return proxy.getTargetDataSource();
		}
		return dataSource;
	}

	/**
	 * Lends a connection.
	 * @param step what to do with it
	 * @param <T> what it returns
	 * @return its result
	 */
	public <T> T use(Step<Connection, T> step) {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			boolean otherIsolation = isolation(connection) != Connection.TRANSACTION_READ_COMMITTED;
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			if (otherIsolation) {
				connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			}
			try {
				return step.apply(connection);
			}
			finally {
				if (otherIsolation && !connection.isClosed()) {
					connection.setTransactionIsolation(this.poolIsolation);
				}
				if (!autoCommit && !connection.isClosed()) {
					connection.setAutoCommit(false);
				}
			}
		}
		catch (SQLException ex) {
			throw translated(ex);
		}
	}

	private int isolation(Connection connection) throws SQLException {
		if (this.poolIsolation == Connection.TRANSACTION_NONE) {
			this.poolIsolation = connection.getTransactionIsolation();
		}
		return this.poolIsolation;
	}

	private RuntimeException translated(SQLException ex) {
		RuntimeException translated = this.translator.translate("coordinator", null, ex);
		return (translated != null) ? translated
				: new org.springframework.jdbc.UncategorizedSQLException("coordinator", null, ex);
	}

	/**
	 * Something that may fail in the database.
	 *
	 * @param <A> what it gets
	 * @param <T> what it returns
	 */
	@FunctionalInterface
	public interface Step<A, T> {

		T apply(A argument) throws SQLException;

	}

}

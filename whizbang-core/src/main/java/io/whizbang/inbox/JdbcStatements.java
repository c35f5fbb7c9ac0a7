package io.whizbang.inbox;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * Runs the inbox's statements on the connection of the current transaction, or in one of
 * their own when there is none.
 */
final class JdbcStatements {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	JdbcStatements(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		this.dataSource = target;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	<T> T run(String task, String sql, Step<T> step) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try (Arguments arguments = new Arguments(connection.prepareStatement(sql))) {
			arguments.statement().setQueryTimeout(TIMEOUT_SECONDS);
			T result = step.run(arguments);
			if (!DataSourceUtils.isConnectionTransactional(connection, this.dataSource)
					&& !connection.getAutoCommit()) {
				connection.commit();
			}
			return result;
		}
		catch (SQLException ex) {
			throw translated(task, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private static DataAccessException translated(String task, SQLException failure) {
		DataAccessException translated = TRANSLATOR.translate(task, null, failure);
		return (translated != null) ? translated : new UncategorizedSQLException(task, null, failure);
	}

	/**
	 * Sets arguments and reads what comes back.
	 *
	 * @param <T> what it returns
	 */
	@FunctionalInterface
	interface Step<T> {

		T run(Arguments arguments) throws SQLException;

	}

	/** The arguments of a statement, set one after the other. */
	static final class Arguments implements AutoCloseable {

		private final PreparedStatement statement;

		private final List<Array> arrays = new ArrayList<>();

		private int index;

		Arguments(PreparedStatement statement) {
			this.statement = statement;
		}

		PreparedStatement statement() {
			return this.statement;
		}

		Arguments add(@Nullable Object value, int sqlType) throws SQLException {
			this.statement.setObject(++this.index, value, sqlType);
			return this;
		}

		Arguments array(String type, @Nullable Object[] values) throws SQLException {
			Array array = this.statement.getConnection().createArrayOf(type, values);
			this.arrays.add(array);
			this.statement.setArray(++this.index, array);
			return this;
		}

		@Override
		public void close() throws SQLException {
			for (Array array : this.arrays) {
				array.free();
			}
			this.statement.close();
		}

	}

}

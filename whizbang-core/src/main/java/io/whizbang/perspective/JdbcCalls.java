package io.whizbang.perspective;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.CoordinatorConnections.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.util.Assert;

/**
 * Calls the functions of the schema: in the current transaction, or each in one of its
 * own.
 */
final class JdbcCalls {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 60;

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final CoordinatorConnections connections;

	private final String schema;

	JdbcCalls(DataSource dataSource, String schema) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		this.dataSource = target;
		this.connections = new CoordinatorConnections(target);
		this.schema = schema;
	}

	/** Calls in a transaction of its own, apart from any of the thread. */
	<T> List<T> apart(String call, Parameters parameters, Step<ResultSet, T> row) {
		return this.connections.use((connection) -> query(connection, call, parameters, row));
	}

	/** Calls on the connection of the current transaction. */
	<T> List<T> within(String call, Parameters parameters, Step<ResultSet, T> row) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return query(connection, call, parameters, row);
		}
		catch (SQLException ex) {
			DataAccessException translated = TRANSLATOR.translate(call, null, ex);
			throw (translated != null) ? translated : new UncategorizedSQLException(call, null, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private <T> List<T> query(Connection connection, String call, Parameters parameters, Step<ResultSet, T> row)
			throws SQLException {
		String sql = "select * from %s.%s".formatted(this.schema, call);
		try (PreparedStatement statement = connection.prepareStatement(sql);
				Arguments arguments = new Arguments(statement)) {
			statement.setQueryTimeout(TIMEOUT_SECONDS);
			parameters.set(arguments);
			try (ResultSet rows = statement.executeQuery()) {
				List<T> result = new ArrayList<>();
				while (rows.next()) {
					result.add(row.apply(rows));
				}
				return result;
			}
		}
	}

	/** Sets the parameters of a call. */
	@FunctionalInterface
	interface Parameters {

		void set(Arguments arguments) throws SQLException;

	}

	/** The arguments of a statement, set one after the other. */
	static final class Arguments implements AutoCloseable {

		private final PreparedStatement statement;

		private final List<Array> arrays = new ArrayList<>();

		private int index;

		Arguments(PreparedStatement statement) {
			this.statement = statement;
		}

		Arguments number(@Nullable Long value) throws SQLException {
			this.statement.setObject(++this.index, value, Types.BIGINT);
			return this;
		}

		Arguments count(int value) throws SQLException {
			this.statement.setInt(++this.index, value);
			return this;
		}

		Arguments text(@Nullable String value) throws SQLException {
			this.statement.setString(++this.index, value);
			return this;
		}

		Arguments flag(boolean value) throws SQLException {
			this.statement.setBoolean(++this.index, value);
			return this;
		}

		Arguments other(@Nullable Object value) throws SQLException {
			this.statement.setObject(++this.index, value, Types.OTHER);
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
		}

	}

}

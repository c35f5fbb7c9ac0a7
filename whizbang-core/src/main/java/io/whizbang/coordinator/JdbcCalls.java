package io.whizbang.coordinator;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Calls the functions of the schema: in the current transaction, or each in one of its
 * own. For Whizbang's own features; applications have no use for it.
 */
public final class JdbcCalls {

	private static final int TIMEOUT_SECONDS = 60;

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final CoordinatorConnections connections;

	private final String schema;

	private final int timeoutSeconds;

	/**
	 * Creates a way to call functions that may take a minute.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 */
	public JdbcCalls(DataSource dataSource, String schema) {
		this(dataSource, schema, TIMEOUT_SECONDS);
	}

	/**
	 * Creates a way to call functions.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param timeoutSeconds a call that takes longer waits for something that will not
	 * come
	 */
	public JdbcCalls(DataSource dataSource, String schema, int timeoutSeconds) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		this.dataSource = target;
		this.connections = new CoordinatorConnections(target);
		this.schema = schema;
		this.timeoutSeconds = timeoutSeconds;
	}

	/**
	 * Returns the database, not wrapped in a proxy.
	 * @return the database
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Says whether the current transaction is one of this database, so that
	 * {@link #within} takes part in it.
	 * @return whether there is such a transaction
	 */
	public boolean isWithinTransaction() {
		return TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * Calls in a transaction of its own, apart from any of the thread.
	 * @param call the function, with a question mark for each argument
	 * @param parameters sets the arguments
	 * @param row reads a row
	 * @param <T> what is read
	 * @return what was read
	 */
	public <T> List<T> apart(String call, Parameters parameters, Step<ResultSet, T> row) {
		return this.connections.use((connection) -> query(connection, sql(call), parameters, row));
	}

	/**
	 * Calls on the connection of the current transaction, or in a transaction of its own
	 * when there is none.
	 * @param call the function, with a question mark for each argument
	 * @param parameters sets the arguments
	 * @param row reads a row
	 * @param <T> what is read
	 * @return what was read
	 */
	public <T> List<T> within(String call, Parameters parameters, Step<ResultSet, T> row) {
		return queryWithin(sql(call), parameters, row);
	}

	/**
	 * Calls in the current transaction when it is one of this database, else apart.
	 * @param call the function, with a question mark for each argument
	 * @param parameters sets the arguments
	 * @param row reads a row
	 * @param <T> what is read
	 * @return what was read
	 */
	public <T> List<T> joined(String call, Parameters parameters, Step<ResultSet, T> row) {
		return isJoined() ? within(call, parameters, row) : apart(call, parameters, row);
	}

	/**
	 * Returns what time it is for the database.
	 * @return the time
	 */
	public Instant now() {
		String sql = "select clock_timestamp()";
		Parameters none = (arguments) -> {
		};
		Step<ResultSet, Instant> row = (rows) -> rows.getObject(1, OffsetDateTime.class).toInstant();
		return (isJoined() ? queryWithin(sql, none, row)
				: this.connections.use((connection) -> query(connection, sql, none, row)))
			.get(0);
	}

	/** A connection may be bound to the thread without a transaction. */
	private boolean isJoined() {
		return TransactionSynchronizationManager.isActualTransactionActive() && isWithinTransaction();
	}

	private String sql(String call) {
		return "select * from %s.%s".formatted(this.schema, call);
	}

	private <T> List<T> queryWithin(String sql, Parameters parameters, Step<ResultSet, T> row) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			List<T> result = query(connection, sql, parameters, row);
			if (!DataSourceUtils.isConnectionTransactional(connection, this.dataSource)
					&& !connection.getAutoCommit()) {
				connection.commit();
			}
			return result;
		}
		catch (SQLException ex) {
			DataAccessException translated = TRANSLATOR.translate(sql, null, ex);
			throw (translated != null) ? translated : new UncategorizedSQLException(sql, null, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private <T> List<T> query(Connection connection, String sql, Parameters parameters, Step<ResultSet, T> row)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql);
				Arguments arguments = new Arguments(statement)) {
			statement.setQueryTimeout(this.timeoutSeconds);
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
	public interface Parameters {

		void set(Arguments arguments) throws SQLException;

	}

	/** The arguments of a call, set one after the other. */
	public static final class Arguments implements AutoCloseable {

		private final PreparedStatement statement;

		private final List<Array> arrays = new ArrayList<>();

		private int index;

		private Arguments(PreparedStatement statement) {
			this.statement = statement;
		}

		public Arguments number(@Nullable Long value) throws SQLException {
			this.statement.setObject(++this.index, value, Types.BIGINT);
			return this;
		}

		public Arguments count(int value) throws SQLException {
			this.statement.setInt(++this.index, value);
			return this;
		}

		public Arguments text(@Nullable String value) throws SQLException {
			this.statement.setString(++this.index, value);
			return this;
		}

		public Arguments flag(boolean value) throws SQLException {
			this.statement.setBoolean(++this.index, value);
			return this;
		}

		public Arguments bytes(byte[] value) throws SQLException {
			this.statement.setBytes(++this.index, value);
			return this;
		}

		public Arguments time(@Nullable Instant value) throws SQLException {
			this.statement.setObject(++this.index, (value != null) ? value.atOffset(ZoneOffset.UTC) : null,
					Types.TIMESTAMP_WITH_TIMEZONE);
			return this;
		}

		/** A value of a type that only the database knows. */
		public Arguments other(@Nullable Object value) throws SQLException {
			this.statement.setObject(++this.index, value, Types.OTHER);
			return this;
		}

		public Arguments array(String type, @Nullable Object[] values) throws SQLException {
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

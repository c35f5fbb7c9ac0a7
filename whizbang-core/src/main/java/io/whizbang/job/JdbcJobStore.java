package io.whizbang.job;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.CoordinatorConnections.Step;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Jobs and their runs in the database. Time is the database's.
 */
public final class JdbcJobStore {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final DataSource dataSource;

	private final CoordinatorConnections connections;

	private final String schema;

	private final Supplier<@Nullable Instant> now;

	/**
	 * Creates a store that goes by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcJobStore(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a store that goes by another clock, for tests.
	 * @param dataSource the database
	 * @param schema the schema that Whizbang is installed in
	 * @param now the time, or {@code null} for the database's
	 */
	public JdbcJobStore(DataSource dataSource, String schema, Supplier<@Nullable Instant> now) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		this.dataSource = target;
		this.connections = new CoordinatorConnections(target);
		this.schema = schema;
		this.now = now;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	Instant now() {
		Instant given = this.now.get();
		if (given != null) {
			return given;
		}
		return first(query("select clock_timestamp()", (arguments) -> {
		}, (rows) -> rows.getObject(1, OffsetDateTime.class).toInstant()));
	}

	List<DueJob> due(Collection<String> except, int limit) {
		return call("due_jobs(?, ?, ?)",
				(arguments) -> arguments.array("text", except.toArray()).count(limit).time(this.now.get()),
				(rows) -> new JobRows(rows).due());
	}

	/** Writes runs in the current transaction, or in one of their own. */
	List<FiredRun> fire(DueJob job, Plan plan, String instance) {
		return call("fire_job(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.text(job.name())
					.number(job.version())
					.time(job.time())
					.time(plan.next())
					.array("timestamptz", plan.times().stream().map(JdbcJobStore::offset).toArray())
					.flag(job.topic() != null)
					.time(plan.skipped())
					.text(plan.reason())
					.text(instance)
					.time(this.now.get()),
				(rows) -> new JobRows(rows).fired());
	}

	boolean stop(DueJob job, String problem) {
		return first(call("stop_job(?, ?, ?, ?)",
				(arguments) -> arguments.text(job.name()).number(job.version()).time(job.time()).text(problem),
				(rows) -> rows.getBoolean(1)));
	}

	List<RecoveredRun> recover(int limit) {
		return call("recover_job_runs(?, ?)", (arguments) -> arguments.count(limit).time(this.now.get()),
				(rows) -> new JobRows(rows).recovered());
	}

	List<ClaimedRun> claim(UUID holder, String instance, List<String> handlers, int limit, Duration lease) {
		return call("claim_job_runs(?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.other(holder)
					.text(instance)
					.array("text", handlers.toArray())
					.count(limit)
					.number(lease.toMillis())
					.time(this.now.get()),
				(rows) -> new JobRows(rows).claimed());
	}

	/** Returns how long there is nothing to do, or {@code null} when nothing is known. */
	@Nullable Duration untilNext(List<String> handlers) {
		long millis = first(call("next_job_ms(?, ?)",
				(arguments) -> arguments.array("text", handlers.toArray()).time(this.now.get()), (rows) -> {
					long next = rows.getLong(1);
					return rows.wasNull() ? -1L : Math.max(0, next);
				}));
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	List<Long> renew(Collection<JobRun> runs, Duration lease) {
		return call("renew_job_runs(?, ?, ?, ?)",
				(arguments) -> arguments.array("bigint", ids(runs))
					.array("bigint", tokens(runs))
					.number(lease.toMillis())
					.time(this.now.get()),
				(rows) -> rows.getLong(1));
	}

	boolean end(JobRun run, RunStatus status, Duration delay, @Nullable String error) {
		return first(call("end_job_run(?, ?, ?::smallint, ?, ?, ?)",
				(arguments) -> arguments.number(run.id())
					.number(run.token())
					.count(status.number())
					.number(delay.toMillis())
					.text(error)
					.time(this.now.get()),
				(rows) -> rows.getBoolean(1)));
	}

	int release(Collection<JobRun> runs) {
		return first(call("release_job_runs(?, ?, ?)",
				(arguments) -> arguments.array("bigint", ids(runs)).array("bigint", tokens(runs)).time(this.now.get()),
				(rows) -> rows.getInt(1)));
	}

	JobChange define(JobDefinition definition, RetryPolicy retry, @Nullable String payload, @Nullable Instant next,
			String by) {
		ObjectNode json = JSON.createObjectNode()
			.put("name", definition.name())
			.put("handler", definition.handler())
			.put("topic", definition.topic())
			.put("cron", definition.cron())
			.put("every_ms", (definition.every() != null) ? definition.every().toMillis() : null)
			.put("zone", definition.zone())
			.put("payload", payload)
			.put("payload_type", (definition.payload() != null) ? definition.payload().getClass().getName() : null)
			.put("enabled", definition.enabled())
			.put("misfire", definition.misfire().number())
			.put("catch_up_max", definition.catchUpMax())
			.put("overlap", definition.overlap())
			.put("max_attempts", retry.maxAttempts())
			.put("first_delay_ms", retry.firstDelay().toMillis())
			.put("multiplier", retry.multiplier())
			.put("max_delay_ms", retry.maxDelay().toMillis())
			.put("jitter", retry.jitter())
			.put("defined_by", by);
		return first(call("define_job(?::jsonb, ?, ?)",
				(arguments) -> arguments.text(json.toString()).time(next).time(this.now.get()),
				(rows) -> switch (rows.getString(1)) {
					case "created" -> JobChange.CREATED;
					case "changed" -> JobChange.CHANGED;
					default -> JobChange.UNCHANGED;
				}));
	}

	boolean pause(String name, boolean paused, @Nullable Instant next) {
		return first(call("pause_job(?, ?, ?)", (arguments) -> arguments.text(name).flag(paused).time(next),
				(rows) -> rows.getBoolean(1)));
	}

	@Nullable TriggeredRun trigger(String name, @Nullable String payload, String instance) {
		List<TriggeredRun> runs = call("trigger_job(?, ?, ?, ?)",
				(arguments) -> arguments.text(name).text(payload).text(instance).time(this.now.get()),
				(rows) -> new JobRows(rows).triggered());
		return runs.isEmpty() ? null : runs.get(0);
	}

	boolean delete(String name) {
		return first(call("delete_job(?)", (arguments) -> arguments.text(name), (rows) -> rows.getBoolean(1)));
	}

	List<JobStatus> list(@Nullable String name, @Nullable String after, int limit,
			Predicate<@Nullable String> present) {
		return call("list_jobs(?, ?, ?)", (arguments) -> arguments.text(name).text(after).count(limit),
				(rows) -> new JobRows(rows).status(present));
	}

	List<RunRecord> runs(String name, @Nullable Long before, int limit) {
		return call("list_job_runs(?, ?, ?)", (arguments) -> arguments.text(name).number(before).count(limit),
				(rows) -> new JobRows(rows).run());
	}

	void see(List<String> handlers) {
		call("see_job_handlers(?, ?)", (arguments) -> arguments.array("text", handlers.toArray()).time(this.now.get()),
				(rows) -> rows.getInt(1));
	}

	int purge(Duration age, int keep, int limit) {
		return first(call("purge_job_runs(?, ?, ?, ?)",
				(arguments) -> arguments.number(age.toMillis()).count(keep).count(limit).time(this.now.get()),
				(rows) -> rows.getInt(1)));
	}

	private static Object[] ids(Collection<JobRun> runs) {
		return runs.stream().map(JobRun::id).toArray();
	}

	private static Object[] tokens(Collection<JobRun> runs) {
		return runs.stream().map(JobRun::token).toArray();
	}

	private static OffsetDateTime offset(Instant time) {
		return time.atOffset(ZoneOffset.UTC);
	}

	private static <T> T first(List<T> rows) {
		return rows.get(0);
	}

	private <T> List<T> call(String call, Parameters parameters, Step<ResultSet, T> row) {
		return query("select * from %s.%s".formatted(this.schema, call), parameters, row);
	}

	/** Runs in the current transaction, or in one of its own. */
	private <T> List<T> query(String sql, Parameters parameters, Step<ResultSet, T> row) {
		if (!TransactionSynchronizationManager.hasResource(this.dataSource)) {
			return this.connections.use((connection) -> query(connection, sql, parameters, row));
		}
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return query(connection, sql, parameters, row);
		}
		catch (SQLException ex) {
			DataAccessException translated = TRANSLATOR.translate("jobs", sql, ex);
			throw (translated != null) ? translated : new UncategorizedSQLException("jobs", sql, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private static <T> List<T> query(Connection connection, String sql, Parameters parameters, Step<ResultSet, T> row)
			throws SQLException {
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

	/**
	 * What to write when a job fires.
	 *
	 * @param times the times that get a run, the oldest first
	 * @param next the next time, or {@code null}
	 * @param skipped a time that gets none, to be seen in the history
	 * @param reason why it gets none
	 */
	record Plan(List<Instant> times, @Nullable Instant next, @Nullable Instant skipped, @Nullable String reason) {
	}

	/** Sets the parameters of a call. */
	@FunctionalInterface
	private interface Parameters {

		void set(Arguments arguments) throws SQLException;

	}

	/** The arguments of a statement, set one after the other. */
	private static final class Arguments implements AutoCloseable {

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

		Arguments time(@Nullable Instant value) throws SQLException {
			this.statement.setObject(++this.index, (value != null) ? offset(value) : null,
					Types.TIMESTAMP_WITH_TIMEZONE);
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

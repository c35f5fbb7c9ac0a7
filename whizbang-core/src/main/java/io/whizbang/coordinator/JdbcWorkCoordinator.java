package io.whizbang.coordinator;

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
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.message.TimeOrderedUuid;
import io.whizbang.work.Claim;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator in PostgreSQL: the only class that calls {@code process_work_batch}.
 */
public final class JdbcWorkCoordinator implements WorkCoordinator {

	/** A call that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private final CoordinatorConnections connections;

	private final String schema;

	private final CoordinatorSettings settings;

	private final Supplier<@Nullable Instant> clock;

	private final ExchangeJson json;

	/**
	 * Creates a coordinator that goes by the database's clock.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param settings the rules that all instances share
	 */
	public JdbcWorkCoordinator(DataSource dataSource, String schema, CoordinatorSettings settings) {
		this(dataSource, schema, settings, () -> null);
	}

	/**
	 * Creates a coordinator for tests.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param settings the rules that all instances share
	 * @param clock what time it is; {@code null} for the database's clock
	 */
	public JdbcWorkCoordinator(DataSource dataSource, String schema, CoordinatorSettings settings,
			Supplier<@Nullable Instant> clock) {
		this.connections = new CoordinatorConnections(dataSource);
		this.schema = schema;
		this.settings = settings;
		this.clock = clock;
		this.json = new ExchangeJson(settings);
	}

	@Override
	public UUID register(InstanceInfo info, Set<Queue> queues) {
		UUID instance = TimeOrderedUuid.next();
		String sql = "select %s.register_instance(?, ?, ?, ?, ?::jsonb, ?, ?, ?)".formatted(this.schema);
		call(sql, (statement) -> {
			statement.setObject(1, instance);
			statement.setString(2, info.serviceName());
			statement.setString(3, info.hostName());
			statement.setLong(4, info.processId());
			statement.setString(5, this.json.write(info.metadata()));
			Object[] numbers = queues.stream().map(Queue::number).toArray();
			statement.setArray(6, statement.getConnection().createArrayOf("smallint", numbers));
			statement.setInt(7, this.settings.partitions());
			setTime(statement, 8);
			return statement.execute();
		});
		return instance;
	}

	@Override
	public void watchSession(UUID instance, @Nullable Integer backendPid) {
		call("select %s.watch_session(?, ?)".formatted(this.schema), (statement) -> {
			statement.setObject(1, instance);
			statement.setObject(2, backendPid, Types.INTEGER);
			return statement.execute();
		});
	}

	@Override
	public void leave(UUID instance) {
		call("select %s.leave_instance(?, ?)".formatted(this.schema), (statement) -> {
			statement.setObject(1, instance);
			setTime(statement, 2);
			return statement.execute();
		});
	}

	@Override
	public WorkBatch exchange(UUID instance, Queue queue, WorkReport report, WorkRequest request) {
		String sql = "select * from %s.process_work_batch(?::smallint, ?, ?::jsonb, ?::jsonb, ?)"
			.formatted(this.schema);
		String reportJson = this.json.write(report);
		String requestJson = this.json.write(request);
		List<Work> work = new ArrayList<>();
		ExchangeAnswer answer = this.connections.use((connection) -> {
			try (PreparedStatement statement = prepare(connection, sql)) {
				statement.setInt(1, queue.number());
				statement.setObject(2, instance);
				statement.setString(3, reportJson);
				statement.setString(4, requestJson);
				setTime(statement, 5);
				try (ResultSet rows = statement.executeQuery()) {
					rows.next();
					ExchangeAnswer first = this.json.readAnswer(rows.getString("state"));
					readWork(rows, first.claim(), work);
					return first;
				}
			}
		});
		Claim claim = answer.claim();
		return answer.toBatch(report, (claim == null || answer.carried()) ? ClaimedWork.of(work)
				: ClaimedWork.later(answer.claimed(), () -> fetch(claim)));
	}

	/**
	 * Large bodies come after the claim is committed: reading them slowly then blocks
	 * nobody.
	 */
	private List<Work> fetch(Claim claim) {
		String sql = "select * from %s.fetch_claim(?, ?)".formatted(this.schema);
		return this.connections.use((connection) -> {
			List<Work> work = new ArrayList<>();
			try (PreparedStatement statement = prepare(connection, sql)) {
				statement.setLong(1, claim.id());
				statement.setObject(2, claim.token());
				try (ResultSet rows = statement.executeQuery()) {
					readWork(rows, claim, work);
				}
			}
			return work;
		});
	}

	private void readWork(ResultSet rows, @Nullable Claim claim, List<Work> work) throws SQLException {
		if (claim == null) {
			return;
		}
		WorkRows columns = new WorkRows(rows, this.json);
		while (rows.next()) {
			work.add(columns.read(claim));
		}
	}

	private void call(String sql, CoordinatorConnections.Step<PreparedStatement, Boolean> step) {
		this.connections.use((connection) -> {
			try (PreparedStatement statement = prepare(connection, sql)) {
				return step.apply(statement);
			}
		});
	}

	private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		statement.setQueryTimeout(TIMEOUT_SECONDS);
		return statement;
	}

	private void setTime(PreparedStatement statement, int index) throws SQLException {
		Instant now = this.clock.get();
		OffsetDateTime time = (now != null) ? now.atOffset(ZoneOffset.UTC) : null;
		statement.setObject(index, time, Types.TIMESTAMP_WITH_TIMEZONE);
	}

}

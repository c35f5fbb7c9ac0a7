package io.whizbang.queue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.CoordinatorConnections.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.Assert;

/**
 * The statements about work queues. Time is the database's.
 */
public final class JdbcQueueStore {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private final DataSource dataSource;

	private final CoordinatorConnections connections;

	private final String schema;

	private final Supplier<@Nullable Instant> now;

	/**
	 * Creates a store that goes by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcQueueStore(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a store that goes by another clock, for tests.
	 * @param dataSource the database
	 * @param schema the schema that Whizbang is installed in
	 * @param now the time, or {@code null} for the database's
	 */
	public JdbcQueueStore(DataSource dataSource, String schema, Supplier<@Nullable Instant> now) {
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

	/**
	 * Hands out batches of up to so many keys, past what is dead. Whoever comes away with
	 * none has also looked for what has become due by itself.
	 */
	List<TakenBatch> take(String queue, Wanted wanted, QueueMemory memory) {
		QueueMarks marks = memory.marks((known) -> mark(queue, known));
		boolean due = memory.isLookDue();
		List<TakenBatch> taken = dequeue(queue, wanted, marks, due);
		return (taken.isEmpty() && !due) ? dequeue(queue, wanted, marks, true) : taken;
	}

	/** Hands out batches of up to so many keys. */
	private List<TakenBatch> dequeue(String queue, Wanted wanted, QueueMarks marks, boolean due) {
		Look look = look(queue, wanted, marks, due);
		while (look.goOn() != null) {
			look = look(queue, wanted, new QueueMarks(look.goOn(), marks.dueFrom()), false);
		}
		return QueueRows.batches(queue, look.rows());
	}

	private Look look(String queue, Wanted wanted, QueueMarks marks, boolean due) {
		AtomicReference<@Nullable Long> goOn = new AtomicReference<>();
		List<QueueRows.Row> rows = new ArrayList<>();
		own("dequeue_batches(?, ?, ?, ?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz)", (result) -> {
			QueueRows row = new QueueRows(result);
			if (row.hasKey()) {
				rows.add(row.message(queue));
			}
			else {
				goOn.set(row.place());
			}
			return row;
		}, queue, wanted.keys(), wanted.messages(), wanted.bytes(), wanted.maxAttempts(), wanted.lock().toMillis(),
				wanted.holder(), marks.low(), due, time(marks.dueFrom()), time(this.now.get()));
		return new Look(rows, goOn.get());
	}

	QueueMarks mark(String queue, QueueMarks marks) {
		return own("mark_queue(?, ?, ?::timestamptz, ?::timestamptz)", (result) -> new QueueRows(result).marks(), queue,
				marks.low(), time(marks.dueFrom()), time(this.now.get()))
			.get(0);
	}

	/**
	 * Ends batches, in a transaction of their own.
	 * @return the keys whose lock was over
	 */
	Set<UUID> settle(Collection<Settlement> settlements, int maxAttempts) {
		return this.connections.use((connection) -> settle(connection, settlements, maxAttempts, true));
	}

	/** Ends a batch in the current transaction; says whether its lock was not over. */
	boolean settleInTransaction(Settlement settlement, int maxAttempts) {
		ConnectionCallback<Set<UUID>> callback = (connection) -> settle(connection, List.of(settlement), maxAttempts,
				false);
		Set<UUID> lost = new JdbcTemplate(this.dataSource).execute(callback);
		return lost != null && lost.isEmpty();
	}

	private Set<UUID> settle(Connection connection, Collection<Settlement> settlements, int maxAttempts, boolean own)
			throws SQLException {
		SettledColumns columns = new SettledColumns(settlements);
		List<UUID[]> lost = query(connection,
				"settle_batches(?::uuid[], ?::uuid[], ?::boolean[], ?::bigint[], ?::int[], ?::text[], ?::uuid[], ?::bigint[], "
						+ "?::uuid[], ?::bigint[], ?::uuid[], ?::bigint[], ?::text[], ?::text[], ?, ?, ?::timestamptz)",
				(rows) -> (UUID[]) rows.getArray(1).getArray(),
				columns.arguments(maxAttempts, own, time(this.now.get())));
		return Set.of(lost.get(0));
	}

	/**
	 * Renews locks.
	 * @return for the keys whose lock is still the caller's, whether it was renewed
	 */
	Map<UUID, Boolean> renew(Collection<QueueBatch> batches, Duration lock) {
		Map<UUID, Boolean> held = new HashMap<>();
		own("renew_batches(?::uuid[], ?::uuid[], ?, ?::timestamptz)",
				(rows) -> held.put(rows.getObject(1, UUID.class), rows.getBoolean(2)),
				batches.stream().map((batch) -> batch.keyId().toString()).toArray(String[]::new),
				batches.stream().map((batch) -> batch.token().toString()).toArray(String[]::new), lock.toMillis(),
				time(this.now.get()));
		return held;
	}

	/** Returns how long nothing is due by itself, or {@code null} when nothing is. */
	@Nullable Duration untilNext(Collection<String> queues, @Nullable Instant from) {
		long millis = own("next_queue_ms(?::text[], ?::timestamptz, ?::timestamptz)", (rows) -> {
			long next = rows.getLong(1);
			return rows.wasNull() ? -1L : Math.max(0, next);
		}, queues.toArray(String[]::new), time(from), time(this.now.get())).get(0);
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	List<String> names(@Nullable String after, int limit) {
		return own("queue_names(?, ?)", (rows) -> rows.getString(1), after, limit);
	}

	List<QueueStatus> list(Collection<String> names, int limit) {
		return own("list_queues(?::text[], ?, ?::timestamptz)", (rows) -> new QueueRows(rows).status(),
				names.toArray(String[]::new), limit, time(this.now.get()));
	}

	QueueTotals totals(int limit) {
		return own("queue_totals(?, ?::timestamptz)", (rows) -> new QueueRows(rows).totals(), limit,
				time(this.now.get()))
			.get(0);
	}

	List<QueueKey> keys(String queue, int limit) {
		return own("list_queue_keys(?, ?)", (rows) -> new QueueRows(rows).key(), queue, limit);
	}

	boolean pause(String queue, String by) {
		return own("pause_queue(?, ?, ?::timestamptz)", (rows) -> rows.getBoolean(1), queue, by, time(this.now.get()))
			.get(0);
	}

	boolean resume(String queue) {
		return own("resume_queue(?)", (rows) -> rows.getBoolean(1), queue).get(0);
	}

	private static @Nullable String time(@Nullable Instant time) {
		return (time != null) ? time.atOffset(ZoneOffset.UTC).toString() : null;
	}

	private <T> List<T> own(String call, Step<ResultSet, T> row, @Nullable Object... arguments) {
		return this.connections.use((connection) -> query(connection, call, row, arguments));
	}

	private <T> List<T> query(Connection connection, String call, Step<ResultSet, T> row, @Nullable Object... arguments)
			throws SQLException {
		String sql = "select * from %s.%s".formatted(this.schema, call);
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setQueryTimeout(TIMEOUT_SECONDS);
			for (int i = 0; i < arguments.length; i++) {
				statement.setObject(i + 1, arguments[i]);
			}
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
	 * What a look has brought.
	 *
	 * @param rows messages of batches
	 * @param goOn where to go on when it met only keys without messages, and very many,
	 * or {@code null}
	 */
	private record Look(List<QueueRows.Row> rows, @Nullable Long goOn) {
	}

	/**
	 * What a caller would take.
	 *
	 * @param keys how many keys at most
	 * @param messages how many messages of each
	 * @param bytes how large these may be together
	 * @param maxAttempts how often a message may have been tried
	 * @param lock how long the keys are locked
	 * @param holder who takes them, for people
	 */
	record Wanted(int keys, int messages, long bytes, int maxAttempts, Duration lock, String holder) {
	}

	/**
	 * A batch, and how long its first message has been waiting.
	 *
	 * @param batch the batch
	 * @param lateness how long
	 */
	record TakenBatch(QueueBatch batch, Duration lateness) {
	}

}

package io.whizbang.inbox;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.inbox.JdbcStatements.Arguments;
import io.whizbang.message.HeaderNames;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Completes messages in the transaction of their receptors, under the fence of their
 * claims (G5, G6): when a claim is gone, the transaction cannot commit.
 */
public final class JdbcHandledMessages {

	private static final int SUCCEEDED = 1;

	private static final int GAVE_UP = 2;

	private final JdbcStatements statements;

	private final boolean debug;

	private final Supplier<@Nullable Instant> clock;

	private final String complete;

	private final String record;

	private final String recorded;

	/**
	 * Creates it with the database's clock.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param debug whether completed messages are kept
	 */
	public JdbcHandledMessages(DataSource dataSource, String schema, boolean debug) {
		this(dataSource, schema, debug, () -> null);
	}

	/**
	 * Creates it for tests.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param debug whether completed messages are kept
	 * @param clock what time it is; {@code null} for the database's clock
	 */
	public JdbcHandledMessages(DataSource dataSource, String schema, boolean debug, Supplier<@Nullable Instant> clock) {
		this.statements = new JdbcStatements(dataSource);
		this.debug = debug;
		this.clock = clock;
		this.complete = "select %s.complete_handled(?::smallint, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
		this.record = "select %s.record_receptors(?::smallint, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
		this.recorded = "select receptor, status from %s.recorded_receptors(?, ?)".formatted(schema);
	}

	/**
	 * Completes messages, as the last thing before the commit of the current transaction.
	 * @param attempts the messages
	 * @throws ClaimLostException when the transaction must not commit
	 */
	void complete(List<Attempt> attempts) {
		List<Work> all = attempts.stream().map(Attempt::work).toList();
		List<Work> recorded = attempts.stream().filter(Attempt::isRecorded).map(Attempt::work).toList();
		change("Complete messages", this.complete, (arguments) -> {
			claims(arguments, all);
			arguments.array("text", column(recorded, String[]::new, JdbcHandledMessages::source))
				.array("uuid", column(recorded, UUID[]::new, (work) -> work.envelope().id().value()))
				.add(this.debug, Types.BOOLEAN);
		});
	}

	/**
	 * Remembers receptors that are done with messages while others are not, in the
	 * current transaction.
	 * @param entries the receptors
	 * @throws ClaimLostException when the transaction must not commit
	 */
	void record(List<Attempt.Entry> entries) {
		List<Work> all = entries.stream().map(Attempt.Entry::work).toList();
		List<Work> marked = entries.stream().filter(Attempt.Entry::marked).map(Attempt.Entry::work).toList();
		change("Record receptors", this.record, (arguments) -> {
			claims(arguments, all);
			arguments.array("int8", column(marked, Long[]::new, Work::seq))
				.array("text", column(all, String[]::new, JdbcHandledMessages::source))
				.array("uuid", column(all, UUID[]::new, (work) -> work.envelope().id().value()))
				.array("int4", column(all, Integer[]::new, Work::attempts))
				.array("text", column(entries, String[]::new, Attempt.Entry::receptor))
				.array("int2", column(entries, Integer[]::new, (entry) -> entry.succeeded() ? SUCCEEDED : GAVE_UP))
				.array("text", column(entries, String[]::new, (entry) -> entry.succeeded() ? null : entry.error()));
		});
	}

	/**
	 * Returns the receptors that are done with a message.
	 * @param work the message
	 * @return whether they succeeded, by name
	 */
	Map<String, Boolean> recorded(Work work) {
		return this.statements.run("Read receptors", this.recorded, (arguments) -> {
			arguments.add(source(work), Types.VARCHAR).add(work.envelope().id().value(), Types.OTHER);
			Map<String, Boolean> receptors = new HashMap<>();
			try (ResultSet rows = arguments.statement().executeQuery()) {
				while (rows.next()) {
					receptors.put(rows.getString(1), rows.getInt(2) == SUCCEEDED);
				}
			}
			return receptors;
		});
	}

	private void change(String task, String sql, Columns columns) {
		Assert.state(TransactionSynchronizationManager.hasResource(this.statements.dataSource()),
				"The transaction manager of the inbox is not one of Whizbang's DataSource: messages could not be "
						+ "completed together with what their receptors do. Let it manage that DataSource");
		Set<Long> lost = this.statements.run(task, sql, (arguments) -> {
			arguments.add(Queue.INBOX.number(), Types.INTEGER);
			columns.add(arguments);
			Instant now = this.clock.get();
			arguments.add((now != null) ? now.atOffset(ZoneOffset.UTC) : null, Types.TIMESTAMP_WITH_TIMEZONE);
			return lost(arguments);
		});
		if (!lost.isEmpty()) {
			throw new ClaimLostException(lost);
		}
	}

	private static void claims(Arguments arguments, List<Work> work) throws SQLException {
		arguments.array("int8", column(work, Long[]::new, (each) -> each.claim().id()))
			.array("uuid", column(work, UUID[]::new, (each) -> each.claim().token()))
			.array("int8", column(work, Long[]::new, Work::seq));
	}

	private static Set<Long> lost(Arguments arguments) throws SQLException {
		try (ResultSet row = arguments.statement().executeQuery()) {
			row.next();
			Array lost = row.getArray(1);
			return Set.of((Long[]) lost.getArray());
		}
	}

	private static String source(Work work) {
		return Objects.requireNonNullElse(work.envelope().header(HeaderNames.SOURCE), "");
	}

	private static <R, T> @Nullable T[] column(List<R> rows, IntFunction<@Nullable T[]> array,
			Function<R, @Nullable T> value) {
		return rows.stream().map(value).toArray(array);
	}

	/** Sets the arguments of a statement. */
	@FunctionalInterface
	private interface Columns {

		void add(Arguments arguments) throws SQLException;

	}

}

package io.whizbang.inbox;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.coordinator.JdbcCalls.Arguments;
import io.whizbang.coordinator.JdbcCalls.Parameters;
import io.whizbang.message.HeaderNames;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Completes messages in the transaction of their receptors, under the fence of their
 * claims (G5, G6): when a claim is gone, the transaction cannot commit.
 */
public final class JdbcHandledMessages {

	private static final int SUCCEEDED = 1;

	private static final int GAVE_UP = 2;

	private final JdbcCalls calls;

	private final boolean debug;

	private final Supplier<@Nullable Instant> clock;

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
		this.calls = new JdbcCalls(dataSource, schema, InboxSettings.CALL_TIMEOUT_SECONDS);
		this.debug = debug;
		this.clock = clock;
	}

	/**
	 * Completes messages, as the last thing before the commit of the current transaction.
	 * @param attempts the messages
	 * @throws ClaimLostException when the transaction must not commit
	 */
	void complete(List<Attempt> attempts) {
		List<Work> all = attempts.stream().map(Attempt::work).toList();
		List<Work> recorded = attempts.stream().filter(Attempt::isRecorded).map(Attempt::work).toList();
		change("complete_handled(?::smallint, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> claims(arguments, all)
					.array("text", column(recorded, String[]::new, JdbcHandledMessages::source))
					.array("uuid", column(recorded, UUID[]::new, (work) -> work.envelope().id().value()))
					.flag(this.debug));
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
		change("record_receptors(?::smallint, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> claims(arguments, all).array("int8", column(marked, Long[]::new, Work::seq))
					.array("text", column(all, String[]::new, JdbcHandledMessages::source))
					.array("uuid", column(all, UUID[]::new, (work) -> work.envelope().id().value()))
					.array("int4", column(all, Integer[]::new, Work::attempts))
					.array("text", column(entries, String[]::new, Attempt.Entry::receptor))
					.array("int2", column(entries, Integer[]::new, (entry) -> entry.succeeded() ? SUCCEEDED : GAVE_UP))
					.array("text",
							column(entries, String[]::new, (entry) -> entry.succeeded() ? null : entry.error())));
	}

	/**
	 * Returns the receptors that are done with a message.
	 * @param work the message
	 * @return whether they succeeded, by name
	 */
	Map<String, Boolean> recorded(Work work) {
		Map<String, Boolean> receptors = new HashMap<>();
		this.calls.within("recorded_receptors(?, ?)",
				(arguments) -> arguments.text(source(work)).other(work.envelope().id().value()),
				(rows) -> receptors.put(rows.getString("receptor"), rows.getInt("status") == SUCCEEDED));
		return receptors;
	}

	private void change(String call, Parameters columns) {
		Assert.state(this.calls.isWithinTransaction(),
				"The transaction manager of the inbox is not one of Whizbang's DataSource: messages could not be "
						+ "completed together with what their receptors do. Let it manage that DataSource");
		Set<Long> lost = this.calls.within(call, (arguments) -> {
			arguments.count(Queue.INBOX.number());
			columns.set(arguments);
			arguments.time(this.clock.get());
		}, JdbcHandledMessages::lost).get(0);
		if (!lost.isEmpty()) {
			throw new ClaimLostException(lost);
		}
	}

	private static Arguments claims(Arguments arguments, List<Work> work) throws SQLException {
		return arguments.array("int8", column(work, Long[]::new, (each) -> each.claim().id()))
			.array("uuid", column(work, UUID[]::new, (each) -> each.claim().token()))
			.array("int8", column(work, Long[]::new, Work::seq));
	}

	private static Set<Long> lost(ResultSet row) throws SQLException {
		Array lost = row.getArray(1);
		return Set.of((Long[]) lost.getArray());
	}

	private static String source(Work work) {
		return Objects.requireNonNullElse(work.envelope().header(HeaderNames.SOURCE), "");
	}

	private static <R, T> @Nullable T[] column(List<R> rows, IntFunction<@Nullable T[]> array,
			Function<R, @Nullable T> value) {
		return rows.stream().map(value).toArray(array);
	}

}

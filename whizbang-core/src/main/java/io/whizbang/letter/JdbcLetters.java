package io.whizbang.letter;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.CoordinatorConnections.Step;
import io.whizbang.message.MessageId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The statements about dead letters, each a transaction of its own but for
 * {@link #record}.
 */
final class JdbcLetters {

	private static final int TIMEOUT_SECONDS = 30;

	/** One transaction holds the locks and bodies of no more letters than this. */
	private static final int BATCH = 500;

	private static final long BATCH_BYTES = 16 * 1024 * 1024;

	private final DataSource dataSource;

	private final CoordinatorConnections connections;

	private final String schema;

	private final LetterJson json = new LetterJson();

	JdbcLetters(DataSource dataSource, String schema) {
		this.dataSource = unwrap(dataSource);
		this.connections = new CoordinatorConnections(dataSource);
		this.schema = schema;
	}

	long record(RawLetter letter) {
		Step<Connection, Long> step = (
				connection) -> query(connection, "record_letter(?::smallint, ?, ?, ?, ?, ?::jsonb)", (statement) -> {
					statement.setInt(1, letter.queue().number());
					statement.setString(2, letter.source());
					statement.setString(3, letter.reason());
					statement.setString(4, letter.error());
					statement.setBytes(5, letter.raw());
					statement.setString(6, this.json.write(letter.headers()));
				}, (rows) -> rows.getLong(1)).get(0);
		if (TransactionSynchronizationManager.hasResource(this.dataSource)) {
			ConnectionCallback<Long> callback = step::apply;
			Long id = new JdbcTemplate(this.dataSource).execute(callback);
			return (id != null) ? id : 0;
		}
		return this.connections.use(step);
	}

	List<DeadLetterSummary> list(DeadLetterFilter filter, @Nullable Long before, int limit) {
		return query("list_letters(?, ?::jsonb, ?, ?)", (statement) -> {
			statement.setArray(1, queues(statement, filter.queue()));
			statement.setString(2, this.json.write(filter));
			statement.setObject(3, before, Types.BIGINT);
			statement.setInt(4, limit);
		}, (rows) -> new LetterRows(rows, this.json).summary());
	}

	@Nullable DeadLetter find(long id) {
		List<DeadLetter> found = query("fetch_letter(?)", (statement) -> statement.setLong(1, id),
				(rows) -> new LetterRows(rows, this.json).letter());
		return found.isEmpty() ? null : found.get(0);
	}

	List<AuditEntry> decisions(@Nullable Queue queue, @Nullable MessageId messageId, @Nullable Long before, int limit) {
		return query("list_decisions(?, ?, ?, ?)", (statement) -> {
			statement.setArray(1, queues(statement, queue));
			statement.setObject(2, (messageId != null) ? messageId.value() : null, Types.OTHER);
			statement.setObject(3, before, Types.BIGINT);
			statement.setInt(4, limit);
		}, (rows) -> new LetterRows(rows, this.json).entry());
	}

	/**
	 * Finds the next letters to decide about.
	 * @param choice which ones
	 * @param after only those with a higher number
	 * @return a batch of them, oldest first
	 */
	List<PickedLetter> pick(Choice choice, long after) {
		return query("pick_letters(?, ?, ?::jsonb, ?, ?, ?, ?)", (statement) -> {
			statement.setArray(1, queues(statement, choice.queue()));
			statement.setArray(2, (choice.ids() != null) ? array(statement, "bigint", choice.ids()) : null);
			statement.setString(3, choice.filter());
			statement.setLong(4, after);
			statement.setObject(5, choice.upTo(), Types.BIGINT);
			statement.setInt(6, BATCH);
			statement.setLong(7, BATCH_BYTES);
		}, (rows) -> new LetterRows(rows, this.json).picked());
	}

	Set<Long> replay(List<PickedLetter> letters, Operator by) {
		return numbers(query("replay_letters(?, ?, ?, ?)", (statement) -> {
			statement.setArray(1, array(statement, "bigint", letters.stream().map(PickedLetter::id).toList()));
			statement.setArray(2, array(statement, "int", letters.stream().map(PickedLetter::partitionHash).toList()));
			statement.setString(3, by.name());
			statement.setString(4, by.note());
		}, (rows) -> (Long[]) rows.getArray(1).getArray()));
	}

	Set<Long> discard(List<PickedLetter> letters, Operator by) {
		return numbers(query("discard_letters(?, ?, ?)", (statement) -> {
			statement.setArray(1, array(statement, "bigint", letters.stream().map(PickedLetter::id).toList()));
			statement.setString(2, by.name());
			statement.setString(3, by.note());
		}, (rows) -> (Long[]) rows.getArray(1).getArray()));
	}

	/**
	 * Forgets some of the decisions that are older than that.
	 * @param age how old
	 * @return how many
	 */
	int purgeDecisions(Duration age) {
		return query("purge_decisions(?, ?)", (statement) -> {
			statement.setLong(1, age.toMillis());
			statement.setInt(2, BATCH);
		}, (rows) -> rows.getInt(1)).get(0);
	}

	Choice choice(DeadLetterFilter filter, long upTo) {
		return new Choice(filter.queue(), null, this.json.write(filter), upTo);
	}

	Choice choice(Collection<Long> ids) {
		return new Choice(null, ids, "{}", null);
	}

	Choice choiceOfOlderThan(Duration age) {
		return new Choice(null, null, this.json.olderThan(age), null);
	}

	private <T> List<T> query(String call, Parameters parameters, Step<ResultSet, T> row) {
		return this.connections.use((connection) -> query(connection, call, parameters, row));
	}

	private <T> List<T> query(Connection connection, String call, Parameters parameters, Step<ResultSet, T> row)
			throws SQLException {
		String sql = "select * from %s.%s".formatted(this.schema, call);
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setQueryTimeout(TIMEOUT_SECONDS);
			parameters.set(statement);
			try (ResultSet rows = statement.executeQuery()) {
				List<T> result = new ArrayList<>();
				while (rows.next()) {
					result.add(row.apply(rows));
				}
				return result;
			}
		}
	}

	/** Queues of a later release are none of this one's business. */
	private static Array queues(PreparedStatement statement, @Nullable Queue queue) throws SQLException {
		List<Queue> queues = (queue != null) ? List.of(queue) : List.of(Queue.values());
		return array(statement, "smallint", queues.stream().map(Queue::number).toList());
	}

	private static Array array(PreparedStatement statement, String type, Collection<?> values) throws SQLException {
		return statement.getConnection().createArrayOf(type, values.toArray());
	}

	private static Set<Long> numbers(List<Long[]> arrays) {
		return Set.of(arrays.stream().flatMap(Stream::of).toArray(Long[]::new));
	}

	private static DataSource unwrap(DataSource dataSource) {
		DataSource unwrapped = dataSource;
		while (unwrapped instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			unwrapped = proxy.getTargetDataSource();
		}
		return unwrapped;
	}

	/**
	 * Which letters are to be decided about.
	 *
	 * @param queue those of this queue, or of all
	 * @param ids those with these numbers, or any
	 * @param filter those that it applies to
	 * @param upTo those up to this number, or any
	 */
	record Choice(@Nullable Queue queue, @Nullable Collection<Long> ids, String filter, @Nullable Long upTo) {
	}

	/** Sets the parameters of a statement. */
	@FunctionalInterface
	private interface Parameters {

		void set(PreparedStatement statement) throws SQLException;

	}

}

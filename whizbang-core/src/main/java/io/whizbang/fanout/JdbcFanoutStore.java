package io.whizbang.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * Fan-outs in the database. Time is the database's. Every call is part of the current
 * transaction, or one of its own.
 */
public final class JdbcFanoutStore {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate ownTransaction;

	private final String schema;

	private final Supplier<@Nullable Instant> now;

	/**
	 * Creates a store that goes by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcFanoutStore(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a store that goes by another clock, for tests.
	 * @param dataSource the database
	 * @param schema the schema that Whizbang is installed in
	 * @param now the time, or {@code null} for the database's
	 */
	public JdbcFanoutStore(DataSource dataSource, String schema, Supplier<@Nullable Instant> now) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		this.dataSource = target;
		this.jdbc = new JdbcTemplate(target);
		this.jdbc.setQueryTimeout(TIMEOUT_SECONDS);
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(target));
		this.ownTransaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.schema = schema;
		this.now = now;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	Instant now() {
		Instant given = this.now.get();
		return (given != null) ? given : first(
				query("select clock_timestamp()", (rows) -> rows.getObject(1, OffsetDateTime.class).toInstant()));
	}

	/** Returns whether anything is new. */
	boolean define(String topic, FanoutSchedule schedule, Instant next, String by) {
		return !first(call("define_fanout_topic(?, ?, ?::bigint, ?, ?, ?, ?)", (rows) -> rows.getString(1), topic,
				schedule.cron(), millis(schedule.interval()), schedule.zone(), offset(next), by, given()))
			.equals("unchanged");
	}

	boolean setPolicy(String topic, String workKey, FanoutPolicy policy, boolean edited) {
		return first(call("set_fanout_policy(?, ?, ?, ?, ?, ?)", (rows) -> rows.getBoolean(1), topic, workKey,
				policy.every().toMillis(), policy.jitter().toMillis(), edited, given()));
	}

	boolean resetPolicy(String topic, String workKey) {
		return first(call("reset_fanout_policy(?, ?)", (rows) -> rows.getBoolean(1), topic, workKey));
	}

	List<TopicPolicy> policies(String topic) {
		return call("list_fanout_policies(?)", (rows) -> new FanoutRows(rows).policy(), topic);
	}

	void see(Collection<String> topics) {
		call("see_fanout_topics(?, ?)", (rows) -> rows.getInt(1), array(topics), given());
	}

	List<DueTopic> due(Collection<String> topics) {
		return call("due_fanout_topics(?, ?)", (rows) -> new FanoutRows(rows).due(), array(topics), given());
	}

	/** Returns how long none of these topics is due, if any is known. */
	Optional<Duration> untilNext(Collection<String> topics) {
		return first(call("next_fanout_ms(?, ?)", (rows) -> Optional.ofNullable(new FanoutRows(rows).millis()),
				array(topics), given()));
	}

	boolean begin(DueTopic topic, long token) {
		return first(call("begin_fanout_run(?, ?, ?, ?)", (rows) -> rows.getBoolean(1), topic.topic(), token,
				offset(topic.time()), given()));
	}

	/** Returns one slice with the number 0 when the token is too old. */
	List<PlannedSlice> plan(String topic, long token, Instant until, List<FanoutCandidate> page,
			Duration abandonAfter) {
		return call("plan_fanout_page(?, ?, ?, ?, ?, ?, ?)", (rows) -> new FanoutRows(rows).planned(), topic, token,
				offset(until), array(page.stream().map(FanoutCandidate::workKey).toList()),
				array(page.stream().map(FanoutCandidate::shardKey).toList()), abandonAfter.toMillis(), given());
	}

	boolean end(DueTopic topic, long token, Instant until, Instant next, FanoutCount count) {
		return first(call("end_fanout_run(?, ?, ?, ?, ?, ?, ?, ?, ?)", (rows) -> rows.getBoolean(1), topic.topic(),
				token, offset(topic.time()), offset(until), offset(next), count.candidates(), count.planned(),
				count.problem(), given()));
	}

	/** Returns when it is tried again, or nothing when the token is too old. */
	Optional<Duration> fail(String topic, long token, String problem, Duration first, Duration most) {
		return first(
				call("fail_fanout_run(?, ?, ?, ?, ?, ?)", (rows) -> Optional.ofNullable(new FanoutRows(rows).millis()),
						topic, token, problem, first.toMillis(), most.toMillis(), given()));
	}

	boolean request(String topic) {
		return first(call("request_fanout_run(?, ?)", (rows) -> rows.getBoolean(1), topic, given()));
	}

	boolean delete(String topic) {
		return first(call("delete_fanout_topic(?)", (rows) -> rows.getBoolean(1), topic));
	}

	List<FanoutTopic> list(@Nullable String topic, Predicate<String> present) {
		return call("list_fanout_topics(?)", (rows) -> new FanoutRows(rows).topic(present), topic);
	}

	List<FanoutCursor> cursors(String topic, @Nullable String afterWorkKey, @Nullable String afterShardKey, int limit) {
		return call("list_fanout_cursors(?, ?, ?, ?)", (rows) -> new FanoutRows(rows).cursor(), topic, afterWorkKey,
				afterShardKey, limit);
	}

	/** Returns how late a slice is, or nothing when its window is completed. */
	Optional<Duration> beginSlice(FanoutSlice slice, boolean lock) {
		return first(call("begin_fanout_slice(?, ?, ?, ?::timestamptz, ?, ?, ?)",
				(rows) -> Optional.ofNullable(new FanoutRows(rows).millis()), slice.topic(), slice.workKey(),
				slice.shardKey(), offset(slice.windowStart()), offset(slice.windowEnd()), lock, given()));
	}

	boolean completeSlice(FanoutSlice slice) {
		return first(call("complete_fanout_slice(?, ?, ?, ?::timestamptz, ?, ?)", (rows) -> rows.getBoolean(1),
				slice.topic(), slice.workKey(), slice.shardKey(), offset(slice.windowStart()),
				offset(slice.windowEnd()), given()));
	}

	int purge(Duration age, int limit) {
		return first(call("purge_fanout_cursors(?, ?, ?)", (rows) -> rows.getInt(1), age.toMillis(), limit, given()));
	}

	private @Nullable OffsetDateTime given() {
		return offset(this.now.get());
	}

	private static @Nullable OffsetDateTime offset(@Nullable Instant time) {
		return (time != null) ? time.atOffset(ZoneOffset.UTC) : null;
	}

	private static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	private static String[] array(Collection<String> texts) {
		return texts.toArray(String[]::new);
	}

	private static <T> T first(List<T> rows) {
		return rows.get(0);
	}

	private <T> List<T> call(String call, Row<T> row, @Nullable Object... arguments) {
		return query("select * from %s.%s".formatted(this.schema, call), row, arguments);
	}

	private <T> List<T> query(String sql, Row<T> row, @Nullable Object... arguments) {
		if (TransactionSynchronizationManager.hasResource(this.dataSource)) {
			return this.jdbc.query(sql, (rows, number) -> row.read(rows), arguments);
		}
		return this.ownTransaction
			.<List<T>>execute((status) -> this.jdbc.query(sql, (rows, number) -> row.read(rows), arguments));
	}

	/**
	 * Reads a row.
	 *
	 * @param <T> what it is
	 */
	@FunctionalInterface
	private interface Row<T> {

		T read(ResultSet rows) throws SQLException;

	}

}

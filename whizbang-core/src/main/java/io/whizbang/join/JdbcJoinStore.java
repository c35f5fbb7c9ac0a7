package io.whizbang.join;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.message.InheritedHeaders;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Joins in the database. Time is the database's. Every call is part of the current
 * transaction, or one of its own.
 */
public final class JdbcJoinStore {

	/** A call that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	// Texts have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final JdbcCalls calls;

	private final Supplier<@Nullable Instant> now;

	/**
	 * Creates a store that goes by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 */
	public JdbcJoinStore(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a store that goes by another clock, for tests.
	 * @param dataSource the database
	 * @param schema the schema that Whizbang is installed in
	 * @param now the time, or {@code null} for the database's
	 */
	public JdbcJoinStore(DataSource dataSource, String schema, Supplier<@Nullable Instant> now) {
		this.calls = new JdbcCalls(dataSource, schema, TIMEOUT_SECONDS);
		this.now = now;
	}

	DataSource dataSource() {
		return this.calls.dataSource();
	}

	/** Returns the join's identity, or that of the one that has its key. */
	JoinId start(JoinId id, NewJoin join) {
		Map<String, String> headers = InheritedHeaders.with(Map.of()).and(join.headers());
		Integer expected = join.expected();
		return this.calls.within("start_join(?, ?, ?::int, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?)", (arguments) -> {
			arguments.other(id.value()).text(join.key()).number((expected != null) ? expected.longValue() : null);
			arguments.flag(join.failFast()).number((join.deadline() != null) ? join.deadline().toMillis() : null);
			arguments.text(join.doneTopic()).text(join.failedTopic()).text(join.deadlineTopic());
			arguments.text(MAPPER.writeValueAsString(headers)).text(MAPPER.writeValueAsString(join.metadata()));
			arguments.time(this.now.get());
		}, (rows) -> JoinId.of(rows.getString(1))).get(0);
	}

	Attached attach(JoinId join, Collection<String> members) {
		return this.calls
			.within("attach_members(?, ?, ?)",
					(arguments) -> arguments.other(join.value()).array("text", members.toArray()).time(this.now.get()),
					JoinRows::attached)
			.get(0);
	}

	/** Returns how many members it expects, or nothing when there is no such join. */
	Optional<Integer> seal(JoinId join) {
		return this.calls
			.within("seal_join(?, ?)", (arguments) -> arguments.other(join.value()).time(this.now.get()),
					(rows) -> Optional.ofNullable(rows.getObject(1, Integer.class)))
			.get(0);
	}

	boolean report(JoinId join, String member, boolean failed, @Nullable String reason) {
		return this.calls.within("report_member(?, ?, ?, ?, ?)", (
				arguments) -> arguments.other(join.value()).text(member).flag(failed).text(reason).time(this.now.get()),
				(rows) -> rows.getBoolean(1))
			.get(0);
	}

	boolean cancel(JoinId join) {
		return this.calls
			.within("cancel_join(?, ?)", (arguments) -> arguments.other(join.value()).time(this.now.get()),
					(rows) -> rows.getBoolean(1))
			.get(0);
	}

	Fold fold(long from, @Nullable Instant dueFrom, Collection<JoinId> except, JoinSettings settings) {
		Object[] left = except.stream().map(JoinId::value).toArray();
		return this.calls
			.within("fold_joins(?, ?, ?, ?, ?, ?)",
					(arguments) -> arguments.number(from)
						.time(dueFrom)
						.array("uuid", left)
						.count(settings.batchSize())
						.time(this.now.get())
						.number(settings.poll().toMillis()),
					JoinRows::fold)
			.get(0);
	}

	Optional<Join> find(@Nullable JoinId join, @Nullable String key) {
		return this.calls
			.within("find_join(?::uuid, ?)",
					(arguments) -> arguments.other((join != null) ? join.value() : null).text(key), JoinRows::join)
			.stream()
			.findFirst();
	}

	List<Join> open(@Nullable JoinId after, int limit) {
		return this.calls.within("list_joins(?::uuid, ?)",
				(arguments) -> arguments.other((after != null) ? after.value() : null).count(limit), JoinRows::join);
	}

	List<JoinMember> members(JoinId join, @Nullable String after, int limit) {
		return this.calls.within("list_members(?, ?, ?)",
				(arguments) -> arguments.other(join.value()).text(after).count(limit), JoinRows::member);
	}

	/**
	 * Counts what is under way.
	 * @param limit how far to count
	 * @return the count
	 */
	public JoinCount count(int limit) {
		return this.calls
			.within("count_joins(?)", (arguments) -> arguments.count(limit),
					(rows) -> new JoinCount(rows.getInt("open"), rows.getInt("reports")))
			.get(0);
	}

	int purge(Duration age, int limit) {
		return this.calls
			.within("purge_joins(?, ?, ?)",
					(arguments) -> arguments.number(age.toMillis()).count(limit).time(this.now.get()),
					(rows) -> rows.getInt(1))
			.get(0);
	}

}

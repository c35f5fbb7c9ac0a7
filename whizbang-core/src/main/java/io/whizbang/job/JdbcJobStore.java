package io.whizbang.job;

import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections.Step;
import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs and their runs in the database. Time is the database's. Every call is part of the
 * current transaction, or one of its own.
 */
public final class JdbcJobStore {

	/** A statement that takes longer waits for something that will not come. */
	private static final int TIMEOUT_SECONDS = 30;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final JdbcCalls calls;

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
		this.calls = new JdbcCalls(dataSource, schema, TIMEOUT_SECONDS);
		this.now = now;
	}

	DataSource dataSource() {
		return this.calls.dataSource();
	}

	Instant now() {
		Instant given = this.now.get();
		return (given != null) ? given : this.calls.now();
	}

	List<DueJob> due(Collection<String> except, int limit) {
		return call("due_jobs(?, ?, ?)",
				(arguments) -> arguments.array("text", except.toArray()).count(limit).time(this.now.get()),
				(rows) -> new JobRows(rows).due());
	}

	/**
	 * Writes runs in the current transaction, or in one of their own.
	 * @return the runs, or nothing when a transaction that is still open has changed the
	 * job
	 */
	Optional<List<FiredRun>> fire(DueJob job, Plan plan, String instance) {
		List<FiredRun> runs = call("fire_job(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
		return runs.stream().anyMatch((run) -> run.id() == FiredRun.NOT_NOW) ? Optional.empty() : Optional.of(runs);
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

	/**
	 * Returns how long there is nothing to do, or {@code null} when nothing is known.
	 */
	@Nullable Duration untilNext(List<String> handlers, Collection<String> except) {
		long millis = first(call("next_job_ms(?, ?, ?)",
				(arguments) -> arguments.array("text", handlers.toArray())
					.time(this.now.get())
					.array("text", except.toArray()),
				(rows) -> {
					long next = rows.getLong(1);
					return rows.wasNull() ? -1L : Math.max(0, next);
				}));
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	/**
	 * Renews leases.
	 * @return those of the runs that are not gone: whether they were renewed, or somebody
	 * has locked them, so that nobody knows
	 */
	Map<Long, Boolean> renew(Collection<JobRun> runs, Duration lease) {
		Map<Long, Boolean> kept = new HashMap<>();
		call("renew_job_runs(?, ?, ?, ?)",
				(arguments) -> arguments.array("bigint", ids(runs))
					.array("bigint", tokens(runs))
					.number(lease.toMillis())
					.time(this.now.get()),
				(rows) -> kept.put(rows.getLong(1), rows.getBoolean(2)));
		return kept;
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
		return call("list_jobs(?, ?, ?, ?)",
				(arguments) -> arguments.text(name).text(after).count(limit).time(this.now.get()),
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

	private <T> List<T> call(String call, JdbcCalls.Parameters parameters, Step<ResultSet, T> row) {
		return this.calls.joined(call, parameters, row);
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

}

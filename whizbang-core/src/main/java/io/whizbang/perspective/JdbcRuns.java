package io.whizbang.perspective;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The statements about runs: who works on them, and which one serves. Those that the
 * application's code takes part in run in the current transaction.
 */
final class JdbcRuns {

	private static final int PURGE = 10_000;

	private final JdbcCalls calls;

	JdbcRuns(JdbcCalls calls) {
		this.calls = calls;
	}

	void join(UUID instance, Collection<PerspectiveHandler> handlers) {
		this.calls.apart("join_perspectives(?, ?, ?)",
				(arguments) -> arguments.other(instance)
					.array("text", handlers.stream().map(PerspectiveHandler::name).toArray())
					.array("int4", handlers.stream().map(PerspectiveHandler::version).toArray()),
				(rows) -> true);
	}

	/**
	 * Takes the instance's share, and tells what it holds.
	 * @param instance the instance
	 * @param lease how long it holds it
	 * @param rules who counts as dead
	 * @param busy shards that are just being worked on
	 * @return a row for each shard; an empty one when the instance counts as dead
	 */
	List<Optional<HeldRow>> hold(UUID instance, Duration lease, CoordinatorSettings rules, Collection<BusyShard> busy) {
		String json = "{\"heartbeat_ms\":%d,\"dead_ms\":%d,\"stale_ms\":%d}".formatted(rules.heartbeat().toMillis(),
				rules.deadAfter().toMillis(), rules.staleAfter().toMillis());
		return this.calls.apart("hold_perspectives(?, ?, ?::jsonb, ?, ?)",
				(arguments) -> arguments.other(instance)
					.number(lease.toMillis())
					.text(json)
					.array("int8", busy.stream().map(BusyShard::run).toArray())
					.array("int4", busy.stream().map(BusyShard::shard).toArray()),
				(rows) -> new FeedRows(rows).held());
	}

	/**
	 * Tells when somebody else, whose session is gone, counts as dead.
	 * @param instance who asks
	 * @param rules who counts as dead
	 * @return how long until then, or {@code null} when all seem to live
	 */
	@Nullable Duration untilDeath(UUID instance, CoordinatorSettings rules) {
		return this.calls
			.apart("next_perspective_death(?, ?)",
					(arguments) -> arguments.other(instance).number(rules.deadAfter().toMillis()),
					(rows) -> Optional.ofNullable(rows.getObject(1, Long.class)))
			.get(0)
			.map(Duration::ofMillis)
			.orElse(null);
	}

	/** Begins the run that code of this version needs, if it needs one. */
	@Nullable PerspectiveRun open(PerspectiveHandler handler, int shards) {
		return begun(handler, "open_perspective(?, ?, ?)", shards);
	}

	/** Begins a run beside the one that serves, unless there is one. */
	@Nullable PerspectiveRun build(PerspectiveHandler handler, int shards) {
		return begun(handler, "build_perspective(?, ?, ?)", shards);
	}

	private @Nullable PerspectiveRun begun(PerspectiveHandler handler, String call, int shards) {
		List<PerspectiveRun> begun = this.calls.within(call,
				(arguments) -> arguments.text(handler.name()).count(handler.version()).count(shards),
				(rows) -> new PerspectiveRun(handler.name(), handler.version(), rows.getInt("run")));
		return begun.isEmpty() ? null : begun.get(0);
	}

	/** The run that serves, as the current transaction sees it. */
	@Nullable PerspectiveRun serving(String name) {
		List<PerspectiveRun> serving = this.calls.within("serving_run(?)", (arguments) -> arguments.text(name),
				(rows) -> new PerspectiveRun(name, rows.getInt("version"), rows.getInt("run")));
		return serving.isEmpty() ? null : serving.get(0);
	}

	/** Stops the run that serves until the current transaction ends. */
	@Nullable RunInfo lockServing(String name) {
		List<RunInfo> serving = this.calls.within("lock_serving_run(?)", (arguments) -> arguments.text(name),
				(rows) -> new RunInfo(rows.getLong("run_id"),
						new PerspectiveRun(name, rows.getInt("version"), rows.getInt("run")), true,
						rows.getInt("shards")));
		return serving.isEmpty() ? null : serving.get(0);
	}

	/** Begins the run that serves anew, which the caller has stopped and emptied. */
	void restart(RunInfo serving, int shards) {
		this.calls.within("restart_perspective(?, ?, ?)",
				(arguments) -> arguments.number(serving.id()).count(serving.run().version()).count(shards),
				(rows) -> true);
	}

	/** Lets a stream of the run that serves begin anew. */
	@Nullable PerspectiveRun restartStream(String name, StreamId stream) {
		List<PerspectiveRun> run = this.calls.within("lock_perspective_stream(?, ?)",
				(arguments) -> arguments.text(name).other(stream.value()),
				(rows) -> new PerspectiveRun(name, rows.getInt("version"), rows.getInt("run")));
		return run.isEmpty() ? null : run.get(0);
	}

	/**
	 * Lets a run serve that was built.
	 * @param run the run
	 * @return the run that served before, or {@code null} when something is missing yet
	 */
	@Nullable PerspectiveRun switchTo(RunInfo run) {
		List<PerspectiveRun> old = this.calls.apart("switch_perspective(?)", (arguments) -> arguments.number(run.id()),
				(rows) -> new PerspectiveRun(run.name(), rows.getInt("version"), rows.getInt("run")));
		return old.isEmpty() ? null : old.get(0);
	}

	/**
	 * Finds a run that ended so long ago and was not cleaned up yet, and locks it.
	 * @param newest the newest code of each perspective
	 * @param but runs that are left out
	 * @param age how long ago
	 * @return the run, or {@code null} when there is none
	 */
	@Nullable RetiredRun retired(Collection<PerspectiveHandler> newest, Collection<Long> but, Duration age) {
		List<RetiredRun> found = this.calls.within("retired_perspective_run(?, ?, ?, ?)",
				(arguments) -> arguments.array("text", newest.stream().map(PerspectiveHandler::name).toArray())
					.array("int4", newest.stream().map(PerspectiveHandler::version).toArray())
					.array("int8", but.toArray())
					.number(age.toMillis()),
				(rows) -> new RetiredRun(rows.getLong("run_id"),
						new PerspectiveRun(rows.getString("name"), rows.getInt("version"), rows.getInt("run")),
						rows.getBoolean("is_replaced")));
		return found.isEmpty() ? null : found.get(0);
	}

	/** Removes some of what is left; says whether it is all gone. */
	boolean purge(RetiredRun run) {
		return this.calls
			.within("purge_perspective_run(?, ?)", (arguments) -> arguments.number(run.id()).count(PURGE),
					(rows) -> rows.getBoolean(1))
			.get(0);
	}

	/**
	 * A shard that a lane works on.
	 *
	 * @param run identity of its run
	 * @param shard its number
	 */
	record BusyShard(long run, int shard) {

	}

	/**
	 * A run that has ended.
	 *
	 * @param id identity of this life of it
	 * @param run the run
	 * @param replaced whether another life has its model now
	 */
	record RetiredRun(long id, PerspectiveRun run, boolean replaced) {

	}

}

package io.whizbang.job;

import java.util.List;
import java.util.Optional;

import io.whizbang.coordinator.TransactionalChanges;
import io.whizbang.schedule.Cadence;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Jobs in the application's own database.
 */
public final class JdbcJobs implements Jobs {

	private final JobParts parts;

	private final JdbcJobStore store;

	private final JobDefinitions definitions;

	private final JobMessages messages;

	private final TransactionalChanges changes;

	/**
	 * Creates access to the jobs.
	 * @param parts what they are made of
	 * @param worker this instance's worker, to be told of changes
	 */
	public JdbcJobs(JobParts parts, JobWorker worker) {
		this.parts = parts;
		this.store = parts.store();
		this.definitions = new JobDefinitions(parts);
		this.messages = new JobMessages(parts);
		this.changes = new TransactionalChanges(this.store.dataSource(), "change a job", "change", worker::changed);
	}

	@Override
	public JobChange createOrUpdate(JobDefinition definition) {
		return this.changes.make(() -> this.definitions.write(definition));
	}

	@Override
	public void enable(String name) {
		this.changes.make(() -> {
			JobStatus job = find(name).orElseThrow(() -> new IllegalArgumentException(unknown(name)));
			Assert.state(job.enabled(),
					() -> "The job \"%s\" is defined with enabled(false); define it with enabled(true) to let it fire"
						.formatted(name));
			Cadence cadence = Cadence.of(job.cron(), job.every(), job.zone());
			return this.store.pause(name, false, this.definitions.next(cadence));
		});
	}

	@Override
	public void disable(String name) {
		boolean known = this.changes.make(() -> this.store.pause(name, true, null));
		Assert.isTrue(known, () -> unknown(name));
	}

	@Override
	public boolean delete(String name) {
		return this.changes.make(() -> this.store.delete(name));
	}

	@Override
	public long triggerNow(String name, @Nullable Object payload) {
		return this.changes.make(() -> {
			String json = (payload != null) ? this.parts.codec().write(payload) : null;
			TriggeredRun run = this.store.trigger(name, json, this.parts.instance());
			Assert.isTrue(run != null, () -> unknown(name));
			if (run.topic() != null) {
				this.messages.send(name, run.topic(), run.id(), run.at(), run.payload(),
						(payload != null) ? payload.getClass().getName() : run.payloadType());
			}
			return run.id();
		});
	}

	@Override
	public List<JobStatus> list(@Nullable String after, int limit) {
		checkLimit(limit);
		return this.store.list(null, after, limit, this.parts.handlers()::canRun);
	}

	@Override
	public Optional<JobStatus> find(String name) {
		return this.store.list(name, null, 1, this.parts.handlers()::canRun).stream().findFirst();
	}

	@Override
	public List<RunRecord> runs(String name, @Nullable Long before, int limit) {
		checkLimit(limit);
		return this.store.runs(name, before, limit);
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
	}

	private static String unknown(String name) {
		return "There is no job \"%s\"; create it first".formatted(name);
	}

}

package io.whizbang.job;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.TransactionCheck;
import io.whizbang.schedule.Cadence;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * Jobs in the application's own database.
 */
public final class JdbcJobs implements Jobs {

	private final JobParts parts;

	private final JdbcJobStore store;

	private final JobWorker worker;

	private final JobDefinitions definitions;

	private final JobMessages messages;

	private final TransactionCheck check;

	private final TransactionTemplate ownTransaction;

	/**
	 * Creates access to the jobs.
	 * @param parts what they are made of
	 * @param worker this instance's worker, to be told of changes
	 */
	public JdbcJobs(JobParts parts, JobWorker worker) {
		this.parts = parts;
		this.store = parts.store();
		this.worker = worker;
		this.definitions = new JobDefinitions(parts);
		this.messages = new JobMessages(parts);
		DataSource dataSource = this.store.dataSource();
		this.check = new TransactionCheck(dataSource, "change a job", "change");
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	@Override
	public JobChange createOrUpdate(JobDefinition definition) {
		return write(() -> this.definitions.write(definition));
	}

	@Override
	public void enable(String name) {
		write(() -> {
			JobStatus job = find(name).orElseThrow(() -> new IllegalArgumentException(unknown(name)));
			Cadence cadence = Cadence.of(job.cron(), job.every(), job.zone());
			return this.store.pause(name, false, this.definitions.next(cadence));
		});
	}

	@Override
	public void disable(String name) {
		boolean known = write(() -> this.store.pause(name, true, null));
		Assert.isTrue(known, () -> unknown(name));
	}

	@Override
	public boolean delete(String name) {
		return write(() -> this.store.delete(name));
	}

	@Override
	public long triggerNow(String name, @Nullable Object payload) {
		return write(() -> {
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
		return this.store.list(null, after, limit, this.parts.handlers()::has);
	}

	@Override
	public Optional<JobStatus> find(String name) {
		return this.store.list(name, null, 1, this.parts.handlers()::has).stream().findFirst();
	}

	@Override
	public List<RunRecord> runs(String name, @Nullable Long before, int limit) {
		checkLimit(limit);
		return this.store.runs(name, before, limit);
	}

	private <T> T write(Supplier<T> work) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			return told(work);
		}
		this.check.requireNoHiddenTransaction();
		return this.ownTransaction.<T>execute((status) -> told(work));
	}

	private <T> T told(Supplier<T> work) {
		T result = work.get();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				JdbcJobs.this.worker.changed();
			}

		});
		return result;
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
	}

	private static String unknown(String name) {
		return "There is no job \"%s\"; create it first".formatted(name);
	}

}

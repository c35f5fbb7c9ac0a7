package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.observation.JobObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An instance of an application: its own connections, handlers, and worker.
 */
final class JobInstance implements AutoCloseable {

	final HikariDataSource pool;

	final JobHandlers handlers = new JobHandlers();

	final JobWorker worker;

	final Jobs jobs;

	final JdbcJobStore store;

	final JobParts parts;

	final Heard heard = new Heard();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	volatile TopicCheck topics = TopicCheck.NONE;

	JobInstance(JobFixture fixture, String service, JobSettings settings, Supplier<@Nullable Instant> clock,
			@Nullable Executor executor, @Nullable WorkNotifier notifier, JobHandler<?>... handlers) {
		this.pool = fixture.database.createPool(6);
		this.store = new JdbcJobStore(this.pool, JobFixture.SCHEMA, clock);
		List.of(handlers).forEach(this.handlers::add);
		this.parts = new JobParts(this.store, this.handlers, JobFixture.codec(),
				fixture.outbox(this.pool, (topic) -> this.topics.check(topic)), settings, JobFixture.info(service),
				this.heard, JobObservations.NONE);
		this.worker = new JobWorker(this.parts, (executor != null) ? executor : this.threads, () -> false, notifier);
		this.jobs = new JdbcJobs(this.parts, this.worker);
		fixture.add(this);
	}

	/** Transactions of its application. */
	TransactionTemplate transaction() {
		return new TransactionTemplate(new JdbcTransactionManager(this.pool));
	}

	void run() {
		this.worker.runUntilIdle();
	}

	/** Its process is gone, or cut off: nothing reaches the database any more. */
	void cutOff() {
		this.pool.close();
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.worker.stop();
		this.pool.close();
	}

	/** What a listener hears. */
	static final class Heard implements JobListener {

		final List<String> ended = new CopyOnWriteArrayList<>();

		final List<Long> lost = new CopyOnWriteArrayList<>();

		final List<String> missed = new CopyOnWriteArrayList<>();

		final List<Duration> lateness = new CopyOnWriteArrayList<>();

		@Override
		public void started(JobRun run, Duration lateness) {
			this.lateness.add(lateness);
		}

		@Override
		public void ended(JobRun run, RunStatus status, Duration took, @Nullable Throwable failure) {
			this.ended.add(run.job() + " " + status);
		}

		@Override
		public void lost(JobRun run) {
			this.lost.add(run.id());
		}

		@Override
		public void missed(String job, Instant latest) {
			this.missed.add(job);
		}

	}

}

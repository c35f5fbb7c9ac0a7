package io.whizbang.job;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.job.JdbcJobStore.Plan;
import io.whizbang.schedule.Cadence;
import io.whizbang.worker.TransientErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Turns times that have come into runs. Any instance may do it for any job: the database
 * lets one of them move the job on, together with writing the runs.
 */
final class JobFirer {

	private static final Logger logger = LoggerFactory.getLogger(JobFirer.class);

	private static final int BATCH = 100;

	private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

	private final JobParts parts;

	private final JdbcJobStore store;

	private final JobMessages messages;

	private final TransactionTemplate transaction;

	/** When to try again jobs that could not be fired here; only the loop's thread. */
	private final Map<String, Long> failed = new HashMap<>();

	JobFirer(JobParts parts) {
		this.parts = parts;
		this.store = parts.store();
		this.messages = new JobMessages(parts);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.store.dataSource()));
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	/**
	 * Fires what is due.
	 * @return what came of it
	 */
	Fired fire() {
		long now = System.nanoTime();
		this.failed.values().removeIf((again) -> again - now <= 0);
		List<DueJob> due = this.store.due(this.failed.keySet(), BATCH);
		int runs = 0;
		boolean elsewhere = false;
		for (DueJob job : due) {
			int written = fireSafely(job);
			runs += written;
			elsewhere |= written > 0 && job.topic() == null && !this.parts.handlers().has(job.handler());
		}
		return new Fired(runs, elsewhere, !this.failed.isEmpty());
	}

	/** What is wrong with one job must not keep the others. */
	private int fireSafely(DueJob job) {
		try {
			return fire(job);
		}
		catch (RuntimeException ex) {
			if (TransientErrors.isTransient(ex)) {
				throw ex;
			}
			logger.error("The job \"{}\" cannot be fired here; next try in {} s", job.name(), AFTER_FAILURE.toSeconds(),
					ex);
			this.failed.put(job.name(), System.nanoTime() + AFTER_FAILURE.toNanos());
			return 0;
		}
	}

	private int fire(DueJob job) {
		Cadence.Due due;
		try {
			int most = (job.misfire() == Misfire.CATCH_UP) ? Math.max(1, job.catchUpMax()) : 1;
			due = job.cadence().due(job.time(), job.now(), most);
		}
		catch (IllegalArgumentException | DateTimeException | ArithmeticException ex) {
			if (this.store.stop(job, String.valueOf(ex.getMessage()))) {
				logger.error("The job \"{}\" is stopped until it is defined anew: {}", job.name(), ex.getMessage());
			}
			return 0;
		}
		Plan plan = plan(job, due);
		List<FiredRun> runs = (job.topic() != null) ? send(job, job.topic(), plan)
				: this.store.fire(job, plan, this.parts.instance());
		tell(job, due, plan, runs);
		return runs.size();
	}

	private Plan plan(DueJob job, Cadence.Due due) {
		return switch (job.misfire()) {
			case COALESCE -> new Plan(due.times(), due.next(), null, null);
			case SKIP ->
				isOnTime(job, due.latest()) ? new Plan(due.times(), due.next(), null, null) : new Plan(List.of(),
						due.next(), due.latest(), "missed: the job skips times that it could not keep");
			case CATCH_UP -> new Plan(due.times(), due.next(), due.older() ? job.time() : null, due.older()
					? "missed: the job catches up on the latest %d times only".formatted(job.catchUpMax()) : null);
		};
	}

	/**
	 * A moment late is on time; but not a time that came while a run was not over.
	 */
	private boolean isOnTime(DueJob job, Instant time) {
		boolean kept = !time.isBefore(job.now().minus(this.parts.settings().misfireGrace()));
		return kept && (job.overlap() || job.lastEndedAt() == null || !time.isBefore(job.lastEndedAt()));
	}

	private List<FiredRun> send(DueJob job, String topic, Plan plan) {
		return this.transaction.<List<FiredRun>>execute((status) -> {
			List<FiredRun> runs = this.store.fire(job, plan, this.parts.instance());
			runs.forEach((run) -> this.messages.send(job.name(), topic, run.id(), run.scheduledAt(), job.payload(),
					job.payloadType()));
			return runs;
		});
	}

	private void tell(DueJob job, Cadence.Due due, Plan plan, List<FiredRun> runs) {
		if (runs.isEmpty() && plan.skipped() == null) {
			return;
		}
		this.parts.listener().fired(job.name(), runs.size());
		if (job.topic() != null) {
			runs.forEach((run) -> this.parts.listener()
				.handedOver(job.name(), Duration.between(run.scheduledAt(), job.now())));
		}
		if (due.older() || plan.times().isEmpty()) {
			logger.info("The job \"{}\" has missed times from {} to {}; {} of them get a run", job.name(), job.time(),
					due.latest(), runs.size());
			this.parts.listener().missed(job.name(), due.latest());
		}
	}

	/**
	 * What came of a look at the jobs.
	 *
	 * @param runs how many runs were written
	 * @param elsewhere whether some of them can only run elsewhere
	 * @param failing whether some jobs could not be fired
	 */
	record Fired(int runs, boolean elsewhere, boolean failing) {
	}

}

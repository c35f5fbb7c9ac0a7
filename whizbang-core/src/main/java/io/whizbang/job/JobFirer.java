package io.whizbang.job;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

import io.whizbang.job.JdbcJobStore.Plan;
import io.whizbang.schedule.Cadence;
import io.whizbang.worker.TransientErrors;
import org.jspecify.annotations.Nullable;
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

	/** Somebody's transaction, or the database, needs a moment. */
	private static final Duration NOT_NOW = Duration.ofMillis(400);

	/** Who can read a definition that others cannot has fired it by then. */
	private static final Duration UNREADABLE = Duration.ofMinutes(2);

	private final JobParts parts;

	private final JdbcJobStore store;

	private final JobMessages messages;

	private final TransactionTemplate transaction;

	/** When to try again jobs that could not be fired here; only the loop's thread. */
	private final Map<String, Long> left = new HashMap<>();

	/** Since when jobs wait for somebody who can read them; as above. */
	private final Map<String, Unreadable> unreadable = new HashMap<>();

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
		this.left.values().removeIf((again) -> again - now <= 0);
		List<DueJob> due = this.store.due(this.left.keySet(), BATCH);
		Set<String> names = due.stream().map(DueJob::name).collect(Collectors.toSet());
		this.unreadable.keySet().removeIf((job) -> !this.left.containsKey(job) && !names.contains(job));
		int runs = 0;
		boolean elsewhere = false;
		for (DueJob job : due) {
			int written = fireSafely(job);
			runs += written;
			elsewhere |= written > 0 && !this.parts.handlers().canRun(job.handler());
		}
		return new Fired(runs, elsewhere);
	}

	/**
	 * Returns the jobs that could not be fired here, and are not tried right now.
	 * @return their names
	 */
	Set<String> left() {
		return this.left.keySet();
	}

	/**
	 * Tells when to try the first of them again.
	 * @return in how long, or {@code null} when there are none
	 */
	@Nullable Duration untilAgain() {
		long now = System.nanoTime();
		OptionalLong first = this.left.values().stream().mapToLong((again) -> Math.max(0, again - now)).min();
		return first.isPresent() ? Duration.ofNanos(first.getAsLong()) : null;
	}

	/** Tries all of them with the next look. */
	void tryAllAgain() {
		this.left.clear();
	}

	private void leave(DueJob job, Duration pause) {
		this.left.put(job.name(), System.nanoTime() + pause.toNanos());
	}

	/** What is wrong with one job must not keep the others. */
	private int fireSafely(DueJob job) {
		try {
			return fire(job);
		}
		catch (RuntimeException ex) {
			if (TransientErrors.isTransient(ex)) {
				// The round is over, but the next one begins with the others.
				leave(job, NOT_NOW);
				throw ex;
			}
			logger.error("The job \"{}\" cannot be fired here; next try in {} s", job.name(), AFTER_FAILURE.toSeconds(),
					ex);
			leave(job, AFTER_FAILURE);
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
			leaveOrStop(job, String.valueOf(ex.getMessage()));
			return 0;
		}
		Plan plan = plan(job, due);
		Optional<List<FiredRun>> runs = (job.topic() != null) ? send(job, job.topic(), plan)
				: this.store.fire(job, plan, this.parts.instance());
		if (runs.isEmpty()) {
			leave(job, NOT_NOW);
			return 0;
		}
		tell(job, due, plan, runs.get());
		return runs.get().size();
	}

	/**
	 * What this instance cannot read, another release may: a time zone, or an expression.
	 * Only whose handler is here, or who has waited for others in vain, takes the job
	 * out.
	 */
	private void leaveOrStop(DueJob job, String problem) {
		boolean own = job.handler() != null && this.parts.handlers().canRun(job.handler());
		Unreadable before = this.unreadable.get(job.name());
		if (before == null || !before.isOf(job)) {
			before = new Unreadable(job.version(), job.time(), job.now());
			this.unreadable.put(job.name(), before);
			logger.warn("The job \"{}\" cannot be read here: {}", job.name(), problem);
		}
		if (!own && job.now().isBefore(before.since().plus(UNREADABLE))) {
			leave(job, AFTER_FAILURE);
			return;
		}
		this.unreadable.remove(job.name());
		if (this.store.stop(job, problem)) {
			logger.error("The job \"{}\" is stopped until it is defined anew: {}", job.name(), problem);
		}
		else {
			leave(job, NOT_NOW);
		}
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

	private Optional<List<FiredRun>> send(DueJob job, String topic, Plan plan) {
		return this.transaction.<Optional<List<FiredRun>>>execute((status) -> {
			Optional<List<FiredRun>> runs = this.store.fire(job, plan, this.parts.instance());
			runs.orElse(List.of())
				.forEach((run) -> this.messages.send(job.name(), topic, run.id(), run.scheduledAt(), job.payload(),
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
	 * A time of a job that this instance cannot read.
	 *
	 * @param version of the job's definition
	 * @param time the time that has come
	 * @param since when this instance saw it first, by the database's clock
	 */
	private record Unreadable(long version, Instant time, Instant since) {

		boolean isOf(DueJob job) {
			return this.version == job.version() && this.time.equals(job.time());
		}

	}

	/**
	 * What came of a look at the jobs.
	 *
	 * @param runs how many runs were written
	 * @param elsewhere whether some of them can only run elsewhere
	 */
	record Fired(int runs, boolean elsewhere) {
	}

}

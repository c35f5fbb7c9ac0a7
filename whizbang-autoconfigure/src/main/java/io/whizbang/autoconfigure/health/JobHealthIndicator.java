package io.whizbang.autoconfigure.health;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

import io.whizbang.job.JobStatus;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether jobs are fired. One that fails, or that nobody can run, is worth a detail
 * but no reason to be down: restarting would not help.
 */
final class JobHealthIndicator extends AbstractHealthIndicator {

	private static final int MANY_JOBS = 20;

	private final JobWorker worker;

	private final Jobs jobs;

	private final HealthProperties limits;

	JobHealthIndicator(JobWorker worker, Jobs jobs, HealthProperties limits) {
		super("The status of jobs could not be told");
		this.worker = worker;
		this.jobs = jobs;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("state", this.worker.state().toUpperCase(Locale.ROOT))
			.withDetail("running", this.worker.running())
			.withDetail("failedRounds", this.worker.consecutiveFailures());
		if (!this.worker.isRunning()) {
			builder.unknown();
		}
		else if (this.worker.consecutiveFailures() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		else {
			builder.up();
		}
		List<JobStatus> all = this.jobs.list();
		builder.withDetail("jobs", all.size())
			.withDetail("failing", names(all, JobStatus::failing))
			.withDetail("missingHandlers", names(all, JobStatus::isHandlerMissing))
			.withDetail("stopped", names(all, (job) -> job.problem() != null));
	}

	private static List<String> names(List<JobStatus> jobs, Predicate<JobStatus> which) {
		return jobs.stream().filter(which).map(JobStatus::name).limit(MANY_JOBS).toList();
	}

}

package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Set;

import io.whizbang.job.JobSettings;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of jobs.
 *
 * @param enabled Whether to enable jobs.
 * @param misfireGrace Time by which a job that skips missed times may be late.
 * @param keepRuns Time that runs are kept which are over. The last one of a job is kept
 * longer.
 * @param maxRuns Number of runs that are kept of each job which are over.
 * @param retry When failed runs are tried again, unless their job says otherwise.
 * @param worker How this instance fires and runs jobs.
 */
@ConfigurationProperties("whizbang.jobs")
public record JobProperties(@DefaultValue("true") boolean enabled, @DefaultValue("10s") Duration misfireGrace,
		@DefaultValue("30d") Duration keepRuns, @DefaultValue("1000") int maxRuns, @DefaultValue Retry retry,
		@DefaultValue Worker worker) {

	private static final String PREFIX = "whizbang.jobs.";

	public JobProperties {
		Requirement.notNegative(PREFIX + "misfire-grace", misfireGrace);
		Requirement.positive(PREFIX + "keep-runs", keepRuns);
		Requirement.atLeast(PREFIX + "max-runs", 1, maxRuns);
		retry.check(PREFIX + "retry.");
		worker.check(PREFIX + "worker.");
	}

	JobSettings toSettings(Duration shutdownTimeout) {
		return new JobSettings(this.worker.concurrency(), this.worker.lease(), this.misfireGrace, this.retry.toPolicy(),
				this.worker.maxPollInterval(), this.worker.listeningPollInterval(), this.keepRuns, this.maxRuns,
				WorkerProperties.drainTimeout(this.worker.drainTimeout(), shutdownTimeout));
	}

	/**
	 * When failed runs are tried again.
	 *
	 * @param maxAttempts Number of times that a run may fail before it has failed for
	 * good.
	 * @param firstDelay Time to wait after the first failure.
	 * @param multiplier Factor by which the wait grows with each further failure.
	 * @param maxDelay Time to wait at most, give or take the jitter.
	 * @param jitter Part of a delay by which it may be longer or shorter.
	 */
	public record Retry(@DefaultValue("3") int maxAttempts, @DefaultValue("10s") Duration firstDelay,
			@DefaultValue("6") double multiplier, @DefaultValue("10m") Duration maxDelay,
			@DefaultValue("0.2") double jitter) {

		void check(String prefix) {
			Requirement.atLeast(prefix + "max-attempts", 1, this.maxAttempts);
			Requirement.notNegative(prefix + "first-delay", this.firstDelay);
			Requirement.atLeast(prefix + "multiplier", 1.0, this.multiplier);
			Requirement.notBelow(prefix + "max-delay", this.maxDelay, prefix + "first-delay", this.firstDelay);
			Assert.isTrue(this.jitter >= 0 && this.jitter < 1,
					() -> "%sjitter must be from 0 to below 1 but is %s".formatted(prefix, this.jitter));
		}

		RetryPolicy toPolicy() {
			return new RetryPolicy(this.maxAttempts, this.firstDelay, this.multiplier, this.maxDelay, this.jitter,
					Set.of());
		}

	}

	/**
	 * How one instance fires and runs jobs.
	 *
	 * @param enabled Whether this instance fires and runs jobs. Without it, and also for
	 * the jobs that its code defines, that is left to other instances.
	 * @param concurrency Number of runs that this instance has under way at once.
	 * @param lease Time that a run stays with an instance that does not answer any more.
	 * @param maxPollInterval Longest time between two looks while announcements of other
	 * instances do not arrive.
	 * @param listeningPollInterval Longest such time while announcements of other
	 * instances arrive.
	 * @param drainTimeout Time that runs may take to end when the application stops. Five
	 * seconds less than 'spring.lifecycle.timeout-per-shutdown-phase' if not set.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("8") int concurrency,
			@DefaultValue("60s") Duration lease, @DefaultValue("1s") Duration maxPollInterval,
			@DefaultValue("10s") Duration listeningPollInterval, @Nullable Duration drainTimeout) {

		void check(String prefix) {
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
			Requirement.positive(prefix + "lease", this.lease);
			Requirement.positive(prefix + "max-poll-interval", this.maxPollInterval);
			Requirement.positive(prefix + "listening-poll-interval", this.listeningPollInterval);
			if (this.drainTimeout != null) {
				Requirement.notNegative(prefix + "drain-timeout", this.drainTimeout);
			}
		}

	}

}

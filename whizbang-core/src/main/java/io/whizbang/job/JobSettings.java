package io.whizbang.job;

import java.time.Duration;
import java.util.Set;

import io.whizbang.work.RetryPolicy;

import org.springframework.util.Assert;

/**
 * How an instance goes about jobs.
 *
 * @param concurrency how many runs it has under way at once
 * @param lease how long a run stays with an instance that does not answer any more
 * @param misfireGrace how late a job that skips missed times may be fired
 * @param retry when failed runs are tried again, unless their job says otherwise
 * @param maxPoll longest pause between two looks while nobody listens for announcements
 * @param listeningPoll longest such pause while the listener is healthy
 * @param keepRuns how long runs are kept that are over
 * @param maxRuns how many runs that are over are kept of each job
 * @param drainTimeout how long runs may take to end when the worker stops
 */
public record JobSettings(int concurrency, Duration lease, Duration misfireGrace, RetryPolicy retry, Duration maxPoll,
		Duration listeningPoll, Duration keepRuns, int maxRuns, Duration drainTimeout) {

	public JobSettings {
		Assert.isTrue(concurrency > 0, () -> "concurrency must be above 0 but is " + concurrency);
		Assert.isTrue(maxRuns > 0, () -> "maxRuns must be above 0 but is " + maxRuns);
		positive(lease, "lease");
		positive(maxPoll, "maxPoll");
		positive(listeningPoll, "listeningPoll");
		positive(keepRuns, "keepRuns");
		notNegative(misfireGrace, "misfireGrace");
		notNegative(drainTimeout, "drainTimeout");
	}

	public static JobSettings defaults() {
		return new JobSettings(8, Duration.ofSeconds(60), Duration.ofSeconds(10), defaultRetry(), Duration.ofSeconds(1),
				Duration.ofSeconds(10), Duration.ofDays(30), 1000, Duration.ofSeconds(25));
	}

	/**
	 * Returns three attempts, after ten seconds and after a minute.
	 * @return the policy
	 */
	public static RetryPolicy defaultRetry() {
		return new RetryPolicy(3, Duration.ofSeconds(10), 6, Duration.ofMinutes(10), 0.2, Set.of());
	}

	public JobSettings withConcurrency(int concurrency) {
		return new JobSettings(concurrency, this.lease, this.misfireGrace, this.retry, this.maxPoll, this.listeningPoll,
				this.keepRuns, this.maxRuns, this.drainTimeout);
	}

	public JobSettings withLease(Duration lease) {
		return new JobSettings(this.concurrency, lease, this.misfireGrace, this.retry, this.maxPoll, this.listeningPoll,
				this.keepRuns, this.maxRuns, this.drainTimeout);
	}

	public JobSettings withRetry(RetryPolicy retry) {
		return new JobSettings(this.concurrency, this.lease, this.misfireGrace, retry, this.maxPoll, this.listeningPoll,
				this.keepRuns, this.maxRuns, this.drainTimeout);
	}

	/**
	 * Returns these settings with other pauses between looks.
	 * @param maxPoll the longest while nobody listens
	 * @param listeningPoll the longest while the listener is healthy
	 * @return the settings
	 */
	public JobSettings withPoll(Duration maxPoll, Duration listeningPoll) {
		return new JobSettings(this.concurrency, this.lease, this.misfireGrace, this.retry, maxPoll, listeningPoll,
				this.keepRuns, this.maxRuns, this.drainTimeout);
	}

	public JobSettings withDrainTimeout(Duration drainTimeout) {
		return new JobSettings(this.concurrency, this.lease, this.misfireGrace, this.retry, this.maxPoll,
				this.listeningPoll, this.keepRuns, this.maxRuns, drainTimeout);
	}

	private static void positive(Duration value, String name) {
		Assert.isTrue(!value.isNegative() && !value.isZero(), () -> name + " must be above 0 but is " + value);
	}

	private static void notNegative(Duration value, String name) {
		Assert.isTrue(!value.isNegative(), () -> name + " must not be negative but is " + value);
	}

}

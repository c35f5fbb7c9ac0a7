package io.whizbang.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/**
 * Decides after a failure whether, and when, to try again.
 *
 * @param maxAttempts how often a message may fail before it goes to the dead letters
 * @param firstDelay how long it waits after the first failure
 * @param multiplier how much longer it waits after each further one
 * @param maxDelay how long it waits at most, give or take the jitter
 * @param jitter how far a delay may be off, as a part of it, so that messages that failed
 * together do not come back together
 * @param neverRetry failures after which nothing is tried again, also as a cause
 */
public record RetryPolicy(int maxAttempts, Duration firstDelay, double multiplier, Duration maxDelay, double jitter,
		Set<Class<? extends Throwable>> neverRetry) {

	/** Reason of a dead letter that failed too often. */
	public static final String MAX_ATTEMPTS = "max-attempts";

	/** Reason of a dead letter whose failure cannot be healed by trying again. */
	public static final String PERMANENT = "permanent";

	public RetryPolicy {
		Assert.isTrue(maxAttempts > 0, () -> "maxAttempts must be above 0 but is " + maxAttempts);
		Assert.isTrue(!firstDelay.isNegative(), () -> "firstDelay must not be negative but is " + firstDelay);
		Assert.isTrue(multiplier >= 1, () -> "multiplier must be at least 1 but is " + multiplier);
		Assert.isTrue(maxDelay.compareTo(firstDelay) >= 0,
				() -> "maxDelay must not be below firstDelay (" + firstDelay + ") but is " + maxDelay);
		Assert.isTrue(jitter >= 0 && jitter < 1, () -> "jitter must be from 0 to below 1 but is " + jitter);
		neverRetry = Set.copyOf(neverRetry);
	}

	/**
	 * Returns ten attempts after 1 s, 2 s, 4 s and so on up to a minute, 20 % more or
	 * less.
	 * @return the policy
	 */
	public static RetryPolicy defaults() {
		return new RetryPolicy(10, Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 0.2, Set.of());
	}

	public RetryPolicy withMaxAttempts(int maxAttempts) {
		return new RetryPolicy(maxAttempts, this.firstDelay, this.multiplier, this.maxDelay, this.jitter,
				this.neverRetry);
	}

	/**
	 * Returns this policy with exponential delays between these bounds.
	 * @param firstDelay how long to wait after the first failure
	 * @param maxDelay how long to wait at most
	 * @return the policy
	 */
	public RetryPolicy withDelays(Duration firstDelay, Duration maxDelay) {
		return new RetryPolicy(this.maxAttempts, firstDelay, this.multiplier, maxDelay, this.jitter, this.neverRetry);
	}

	public RetryPolicy withNeverRetry(Set<Class<? extends Throwable>> neverRetry) {
		return new RetryPolicy(this.maxAttempts, this.firstDelay, this.multiplier, this.maxDelay, this.jitter,
				neverRetry);
	}

	/**
	 * Returns this policy as a handler changes it.
	 * @param maxAttempts how often a message may fail; 0 leaves that as it is
	 * @param neverRetry failures after which nothing is tried again, besides those here
	 * @return the policy
	 */
	public RetryPolicy adjusted(int maxAttempts, Class<? extends Throwable>[] neverRetry) {
		RetryPolicy policy = (maxAttempts > 0) ? withMaxAttempts(maxAttempts) : this;
		if (neverRetry.length == 0) {
			return policy;
		}
		Set<Class<? extends Throwable>> all = new HashSet<>(this.neverRetry);
		all.addAll(List.of(neverRetry));
		return policy.withNeverRetry(all);
	}

	/**
	 * Decides what becomes of a message that has just failed.
	 * @param attemptsSoFar how often it had failed before
	 * @param failure why it failed now
	 * @return {@link Outcome.Retry}, or {@link Outcome.Dead} when it failed too often or
	 * can never succeed
	 */
	public Outcome afterFailure(int attemptsSoFar, Throwable failure) {
		String error = FailureText.of(failure);
		if (isPermanent(failure)) {
			return new Outcome.Dead(PERMANENT, error);
		}
		if (isExhausted(attemptsSoFar + 1)) {
			return new Outcome.Dead(MAX_ATTEMPTS, error);
		}
		return new Outcome.Retry(delayAfter(attemptsSoFar), error);
	}

	/**
	 * Says whether a message must not be tried any more.
	 * @param attempts how often it has failed, crashes included
	 * @return whether that was often enough
	 */
	public boolean isExhausted(int attempts) {
		return attempts >= this.maxAttempts;
	}

	private boolean isPermanent(Throwable failure) {
		return FailureText.causes(failure)
			.anyMatch((cause) -> cause instanceof PermanentFailureException
					|| this.neverRetry.stream().anyMatch((type) -> type.isInstance(cause)));
	}

	private Duration delayAfter(int attemptsSoFar) {
		double growth = Math.pow(this.multiplier, Math.max(0, attemptsSoFar));
		double millis = Math.min((double) this.firstDelay.toMillis() * growth, (double) this.maxDelay.toMillis());
		double spread = this.jitter * (2 * ThreadLocalRandom.current().nextDouble() - 1);
		return Duration.ofMillis(Math.round(millis * (1 + spread)));
	}

}

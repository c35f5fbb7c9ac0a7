package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What is different when work of a topic is tried again. The rest is as for all topics.
 *
 * @param maxAttempts Number of times that a message may fail before it goes to the dead
 * letters.
 * @param firstDelay Time to wait after the first failure.
 * @param multiplier Factor by which the wait grows with each further failure.
 * @param maxDelay Time to wait at most, give or take the jitter.
 * @param jitter Part of a delay by which it may be longer or shorter.
 * @param neverRetry Comma-separated list of exception types after which nothing is tried
 * again.
 */
public record RetryOverride(@Nullable Integer maxAttempts, @Nullable Duration firstDelay, @Nullable Double multiplier,
		@Nullable Duration maxDelay, @Nullable Double jitter, @Nullable Set<Class<? extends Throwable>> neverRetry) {

	RetryProperties over(RetryProperties base) {
		return new RetryProperties(or(this.maxAttempts, base.maxAttempts()), or(this.firstDelay, base.firstDelay()),
				or(this.multiplier, base.multiplier()), or(this.maxDelay, base.maxDelay()),
				or(this.jitter, base.jitter()), or(this.neverRetry, base.neverRetry()));
	}

	private static <T> T or(@Nullable T value, T base) {
		return (value != null) ? value : base;
	}

}

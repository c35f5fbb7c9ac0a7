package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Set;

import io.whizbang.work.RetryPolicy;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * When failed work is tried again.
 *
 * @param maxAttempts Number of times that a message may fail before it goes to the dead
 * letters.
 * @param firstDelay Time to wait after the first failure.
 * @param multiplier Factor by which the wait grows with each further failure.
 * @param maxDelay Time to wait at most, give or take the jitter.
 * @param jitter Part of a delay by which it may be longer or shorter, so that messages
 * that failed together do not come back together.
 * @param neverRetry Comma-separated list of exception types after which nothing is tried
 * again.
 */
public record RetryProperties(@DefaultValue("10") int maxAttempts, @DefaultValue("1s") Duration firstDelay,
		@DefaultValue("2") double multiplier, @DefaultValue("60s") Duration maxDelay,
		@DefaultValue("0.2") double jitter, @DefaultValue Set<Class<? extends Throwable>> neverRetry) {

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
				this.neverRetry);
	}

}

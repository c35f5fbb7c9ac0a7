package io.whizbang.autoconfigure.health;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * When the parts of the health component 'whizbang' are down.
 *
 * @param maxFailedRounds Number of rounds in a row that may fail before a worker is down.
 * @param maxSilence Longest time without a round before a worker is down. Three
 * heartbeats if not set.
 * @param maxOldestAge Age of the oldest message beyond which its queue is down. Never if
 * not set.
 * @param maxReady Number of ready messages, at most 10000, beyond which their queue is
 * down. Never if not set.
 * @param maxDeadLetters Number of dead letters, at most 10000, beyond which their queue
 * is down. Never if not set.
 * @param maxPerspectiveLag Number of events that a serving perspective may be behind
 * before perspectives are down. Never if not set.
 */
@ConfigurationProperties("whizbang.health")
public record HealthProperties(@DefaultValue("3") int maxFailedRounds, @Nullable Duration maxSilence,
		@Nullable Duration maxOldestAge, @Nullable Integer maxReady, @Nullable Integer maxDeadLetters,
		@Nullable Long maxPerspectiveLag) {

	/** Queues are not counted further, so a higher limit would never be passed. */
	private static final int MOST = 9_999;

	public HealthProperties {
		Assert.isTrue(maxFailedRounds >= 1,
				() -> "whizbang.health.max-failed-rounds must be at least 1 but is " + maxFailedRounds);
		positive("max-silence", maxSilence);
		positive("max-oldest-age", maxOldestAge);
		countable("max-ready", maxReady);
		countable("max-dead-letters", maxDeadLetters);
		Assert.isTrue(maxPerspectiveLag == null || maxPerspectiveLag >= 0,
				() -> "whizbang.health.max-perspective-lag must not be negative but is " + maxPerspectiveLag);
	}

	private static void positive(String name, @Nullable Duration value) {
		Assert.isTrue(value == null || (!value.isNegative() && !value.isZero()),
				() -> "whizbang.health.%s must be above 0 but is %s".formatted(name, value));
	}

	private static void countable(String name, @Nullable Integer value) {
		Assert.isTrue(value == null || (value >= 0 && value <= MOST),
				() -> "whizbang.health.%s must be between 0 and %d but is %d".formatted(name, MOST, value));
	}

}

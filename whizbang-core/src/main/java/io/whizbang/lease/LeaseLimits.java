package io.whizbang.lease;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * What names and durations of leases must be.
 */
final class LeaseLimits {

	static final int MAX_PAGE = 1000;

	private static final int MAX_NAME = 200;

	private static final Duration SHORTEST = Duration.ofMillis(100);

	private static final Duration LONGEST = Duration.ofDays(1);

	private LeaseLimits() {
	}

	static void checkName(String name) {
		Assert.hasText(name, () -> "The name of a lease must not be blank but is \"%s\"".formatted(name));
		Assert.isTrue(name.length() <= MAX_NAME,
				() -> "The name of a lease must have at most %d characters but \"%s…\" has %d".formatted(MAX_NAME,
						name.substring(0, 40), name.length()));
		Assert.isTrue(name.indexOf('\0') < 0,
				() -> "The name \"%s\" of a lease contains the character U+0000, which PostgreSQL cannot store; remove it"
					.formatted(name.replace('\0', '?')));
	}

	static void checkDuration(String what, Duration duration) {
		Assert.isTrue(duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0,
				() -> "The %s must be from %s to %s but is %s".formatted(what, SHORTEST, LONGEST, duration));
	}

	static void checkAtLeast(Duration atLeast) {
		Assert.isTrue(!atLeast.isNegative() && atLeast.compareTo(LONGEST) <= 0,
				() -> "The time that a lease lasts at least must be from %s to %s but is %s".formatted(Duration.ZERO,
						LONGEST, atLeast));
	}

	static void checkWait(Duration maxWait) {
		Assert.isTrue(!maxWait.isNegative(),
				() -> "The time to wait for a lease must not be negative but is " + maxWait);
	}

	static void checkPage(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_PAGE,
				() -> "The number of leases to list must be from 1 to %d but is %d".formatted(MAX_PAGE, limit));
	}

}

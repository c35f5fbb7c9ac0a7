package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.message.MessageLimits;

import org.springframework.util.Assert;

/**
 * What keys and times of timers must be.
 */
final class TimerLimits {

	private static final int MAX_KEY = 200;

	private static final Duration MAX_DELAY = Duration.ofDays(100 * 366);

	private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

	private TimerLimits() {
	}

	static void checkKey(String key) {
		MessageLimits.checkText("key of a timer", key, MAX_KEY);
	}

	static void checkDelay(Duration delay) {
		Assert.isTrue(!delay.isNegative() && delay.compareTo(MAX_DELAY) <= 0,
				() -> "The delay of a timer must be between 0 and 100 years but is %s".formatted(delay));
	}

	static void checkDue(Instant due) {
		Assert.isTrue(!due.isBefore(Instant.EPOCH) && due.isBefore(LATEST),
				() -> "The due time of a timer must be between 1970 and 9999 but is %s".formatted(due));
	}

	static void checkLimit(int limit, int most) {
		Assert.isTrue(limit >= 1 && limit <= most,
				() -> "The limit must be between 1 and %d but is %d".formatted(most, limit));
	}

}

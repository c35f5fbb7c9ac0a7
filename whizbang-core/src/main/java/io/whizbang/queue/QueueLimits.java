package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.message.MessageLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What queues, locks and times must be.
 */
final class QueueLimits {

	private static final Duration MAX_DELAY = Duration.ofDays(100 * 366);

	private static final Duration MAX_LOCK = Duration.ofDays(7);

	private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

	private QueueLimits() {
	}

	static void checkQueue(String queue) {
		MessageLimits.checkName("name of a work queue", queue);
	}

	static void checkLock(Duration lock) {
		Assert.isTrue(lock.toMillis() > 0 && lock.compareTo(MAX_LOCK) <= 0,
				() -> "A lock must last from 1 ms to 7 days but is to last %s; renew it instead".formatted(lock));
	}

	static void checkDelay(String queue, @Nullable Duration delay) {
		Assert.isTrue(delay == null || (!delay.isNegative() && delay.compareTo(MAX_DELAY) <= 0),
				() -> "The delay %s in the queue \"%s\" must be between 0 and 100 years".formatted(delay, queue));
	}

	static void checkTime(String queue, @Nullable Instant notBefore) {
		Assert.isTrue(notBefore == null || (notBefore.isAfter(Instant.EPOCH) && notBefore.isBefore(LATEST)),
				() -> "The not-before time %s of a message to the queue \"%s\" must be between 1970 and 9999"
					.formatted(notBefore, queue));
	}

}

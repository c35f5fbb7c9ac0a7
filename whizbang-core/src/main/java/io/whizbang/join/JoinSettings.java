package io.whizbang.join;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How an instance goes about joins.
 *
 * @param batchSize how many reports are counted in one transaction
 * @param poll longest pause between two looks, in case another instance has died between
 * a report and its counting
 * @param keep how long joins are kept that are closed
 */
public record JoinSettings(int batchSize, Duration poll, Duration keep) {

	private static final int MAX_BATCH = 10_000;

	public JoinSettings {
		Assert.isTrue(batchSize > 0 && batchSize <= MAX_BATCH,
				() -> "batchSize must be between 1 and %d but is %d".formatted(MAX_BATCH, batchSize));
		Assert.isTrue(!poll.isNegative() && !poll.isZero(), () -> "poll must be above 0 but is " + poll);
		Assert.isTrue(!keep.isNegative(), () -> "keep must not be negative but is " + keep);
	}

	public static JoinSettings defaults() {
		return new JoinSettings(1000, Duration.ofSeconds(30), Duration.ofDays(7));
	}

}

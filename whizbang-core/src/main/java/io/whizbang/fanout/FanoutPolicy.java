package io.whizbang.fanout;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How often slices are due.
 *
 * @param every how long after the end of its last window a shard's work is due again;
 * zero when it is due at every run
 * @param jitter slices are delayed by a part of this, always the same for the same keys,
 * so that they do not all come at once
 */
public record FanoutPolicy(Duration every, Duration jitter) {

	static final Duration LONGEST = Duration.ofDays(366);

	public FanoutPolicy {
		check("every", every);
		check("jitter", jitter);
	}

	private static void check(String what, Duration value) {
		Assert.isTrue(!value.isNegative() && value.compareTo(LONGEST) <= 0,
				() -> "%s of a fan-out's policy must be between 0 and %s but is %s".formatted(what, LONGEST, value));
	}

	/**
	 * Returns five minutes, with a minute of jitter.
	 * @return the policy
	 */
	public static FanoutPolicy defaults() {
		return new FanoutPolicy(Duration.ofMinutes(5), Duration.ofMinutes(1));
	}

}

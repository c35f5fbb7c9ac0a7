package io.whizbang.timer;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How timers are scheduled.
 *
 * @param near workers are told of timers that fire within this time; of others they learn
 * in time when they look by themselves, so it must be longer than their longest pause
 */
public record TimerSettings(Duration near) {

	public TimerSettings {
		Assert.isTrue(!near.isNegative(), () -> "near must not be negative but is " + near);
	}

	public static TimerSettings defaults() {
		return new TimerSettings(Duration.ofMinutes(1));
	}

}

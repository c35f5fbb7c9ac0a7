package io.whizbang.lease;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How leases are kept.
 *
 * @param duration how long a lease of a {@link Leased} method lasts when its instance
 * dies, unless the method says so itself
 * @param renewAt part of the duration after which a lease is renewed
 * @param renewJitter part of that time by which a renewal may be earlier, so that
 * instances do not renew in step
 * @param maxPause longest time between two looks of somebody who waits for a lease
 */
public record LeaseSettings(Duration duration, double renewAt, double renewJitter, Duration maxPause) {

	public LeaseSettings {
		LeaseLimits.checkDuration("duration of leases", duration);
		Assert.isTrue(renewAt >= 0.1 && renewAt <= 0.9,
				() -> "The part of a lease after which it is renewed must be from 0.1 to 0.9 but is " + renewAt);
		Assert.isTrue(renewJitter >= 0 && renewJitter <= 0.5,
				() -> "The jitter of renewals must be from 0 to 0.5 but is " + renewJitter);
		Assert.isTrue(!maxPause.isNegative() && !maxPause.isZero(),
				() -> "The longest pause must be above 0 but is " + maxPause);
	}

	public static LeaseSettings defaults() {
		return new LeaseSettings(Duration.ofMinutes(5), 0.6, 0.1, Duration.ofSeconds(1));
	}

	public LeaseSettings withRenewal(double at, double jitter) {
		return new LeaseSettings(this.duration, at, jitter, this.maxPause);
	}

	public LeaseSettings withMaxPause(Duration pause) {
		return new LeaseSettings(this.duration, this.renewAt, this.renewJitter, pause);
	}

}

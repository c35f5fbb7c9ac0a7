package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.lease.LeaseSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of leases.
 *
 * @param enabled Whether to enable leases.
 * @param duration Time that the lease of a '@Leased' method lasts when its instance dies,
 * unless the method says so itself.
 * @param renewAt Part of its duration after which a lease is renewed.
 * @param renewJitter Part of that time by which a renewal may be earlier, so that
 * instances do not renew in step.
 * @param maxPause Longest time between two looks of somebody who waits for a lease of
 * another instance.
 */
@ConfigurationProperties("whizbang.leases")
public record LeaseProperties(@DefaultValue("true") boolean enabled, @DefaultValue("5m") Duration duration,
		@DefaultValue("0.6") double renewAt, @DefaultValue("0.1") double renewJitter,
		@DefaultValue("1s") Duration maxPause) {

	private static final String PREFIX = "whizbang.leases.";

	public LeaseProperties {
		Requirement.notBelow(PREFIX + "duration", duration, "the shortest lease", Duration.ofMillis(100));
		Requirement.notBelow("the longest lease", Duration.ofDays(1), PREFIX + "duration", duration);
		within("renew-at", 0.1, 0.9, renewAt);
		within("renew-jitter", 0, 0.5, renewJitter);
		Requirement.positive(PREFIX + "max-pause", maxPause);
	}

	private static void within(String property, double least, double most, double value) {
		Assert.isTrue(value >= least && value <= most,
				() -> "%s%s must be from %s to %s but is %s".formatted(PREFIX, property, least, most, value));
	}

	LeaseSettings toSettings() {
		return new LeaseSettings(this.duration, this.renewAt, this.renewJitter, this.maxPause);
	}

}

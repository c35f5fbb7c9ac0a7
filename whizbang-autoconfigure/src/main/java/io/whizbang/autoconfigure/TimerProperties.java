package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.timer.TimerSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of timers. They fire as messages of the outbox, whose worker they need.
 *
 * @param enabled Whether to enable timers.
 * @param near Time within which a timer must fire for workers to be told of it when it is
 * scheduled. Of others they learn when they look by themselves, so it must be longer than
 * their heartbeat.
 */
@ConfigurationProperties("whizbang.timers")
public record TimerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1m") Duration near) {

	private static final String PREFIX = "whizbang.timers.";

	public TimerProperties {
		Requirement.positive(PREFIX + "near", near);
	}

	/**
	 * Workers look at least once in a heartbeat; twice that is safe.
	 */
	TimerSettings toSettings(Duration heartbeat) {
		Requirement.notBelow(PREFIX + "near", this.near, "twice whizbang.coordinator.heartbeat",
				heartbeat.multipliedBy(2));
		return new TimerSettings(this.near);
	}

}

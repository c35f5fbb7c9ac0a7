package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.worker.JdbcRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down which fan-outs the code of this application has.
 */
final class FanoutDefinitions {

	private static final Logger logger = LoggerFactory.getLogger(FanoutDefinitions.class);

	private final FanoutParts parts;

	private final JdbcRegistration<String> registration;

	FanoutDefinitions(FanoutParts parts) {
		this.parts = parts;
		this.registration = new JdbcRegistration<>(parts.store().dataSource(), parts.planners()::topics,
				(topic) -> "The fan-out \"%s\"".formatted(topic), this::write);
	}

	/** Writes those that are not written yet. */
	void write() {
		if (this.registration.write()) {
			this.parts.store().see(this.parts.planners().topics());
		}
	}

	private void write(String topic) {
		FanoutSchedule schedule = schedule(this.parts, topic);
		Instant first = first(schedule, this.parts.store().now());
		if (this.parts.store().define(topic, schedule, first, this.parts.info().serviceName())) {
			logger.info("The fan-out \"{}\" was created or changed", topic);
		}
		this.parts.store().setPolicy(topic, FanoutLimits.ALL, schedule.policy(), false);
		schedule.workKeys().forEach((workKey, policy) -> this.parts.store().setPolicy(topic, workKey, policy, false));
	}

	/** Shortens a pause when there are some left to write. */
	Duration pause(Duration pause) {
		return this.registration.pause(pause);
	}

	/** An interval begins at once; an expression has its own times. */
	private static Instant first(FanoutSchedule schedule, Instant now) {
		Instant next = (schedule.cron() != null) ? schedule.cadence().after(now) : now;
		return (next != null) ? next : now.plus(FanoutPolicy.LONGEST);
	}

	static FanoutSchedule schedule(FanoutParts parts, String topic) {
		try {
			return parts.settings()
				.topic(topic)
				.adjust(parts.planners().get(topic).schedule(parts.settings().schedule()));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException(
					"The schedule of the fan-out \"%s\" is wrong. %s".formatted(topic, ex.getMessage()), ex);
		}
	}

}

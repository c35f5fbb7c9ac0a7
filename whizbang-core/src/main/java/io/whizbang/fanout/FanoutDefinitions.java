package io.whizbang.fanout;

import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down once which fan-outs the code of this application has.
 */
final class FanoutDefinitions {

	private static final Logger logger = LoggerFactory.getLogger(FanoutDefinitions.class);

	private final FanoutParts parts;

	private volatile boolean written;

	FanoutDefinitions(FanoutParts parts) {
		this.parts = parts;
	}

	void write() {
		if (this.written) {
			return;
		}
		Instant now = this.parts.store().now();
		for (String topic : this.parts.planners().topics()) {
			FanoutSchedule schedule = schedule(this.parts, topic);
			if (this.parts.store().define(topic, schedule, first(schedule, now), this.parts.info().serviceName())) {
				logger.info("The fan-out \"{}\" was created or changed", topic);
			}
			this.parts.store().setPolicy(topic, FanoutLimits.ALL, schedule.policy(), false);
			schedule.workKeys()
				.forEach((workKey, policy) -> this.parts.store().setPolicy(topic, workKey, policy, false));
		}
		this.parts.store().see(this.parts.planners().topics());
		this.written = true;
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

package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.schedule.Cadence;
import org.jspecify.annotations.Nullable;

/**
 * A topic whose planner is to be asked.
 *
 * @param topic the topic
 * @param cron when it runs, or {@code null}
 * @param interval how often it runs instead, or {@code null}
 * @param zone time zone of the cron expression
 * @param time the time that has come
 * @param now the present, by the database's clock
 */
record DueTopic(String topic, @Nullable String cron, @Nullable Duration interval, String zone, Instant time,
		Instant now) {

	/** Times that were missed are made up for by one run. */
	Cadence.Due due() {
		return Cadence.of(this.cron, this.interval, this.zone).due(this.time, this.now, 1);
	}

}

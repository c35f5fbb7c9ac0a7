package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;

import io.whizbang.schedule.Cadence;
import org.jspecify.annotations.Nullable;

/**
 * A job whose time has come.
 *
 * @param name its name
 * @param version of its definition
 * @param handler which handler runs, or {@code null}
 * @param topic where a message is sent, or {@code null}
 * @param cron its cron expression, or {@code null}
 * @param every its interval, or {@code null}
 * @param zone its time zone
 * @param payload its payload as JSON, or {@code null}
 * @param payloadType what its payload was
 * @param misfire what becomes of missed times
 * @param catchUpMax how many missed times are made up for at most
 * @param overlap whether its runs may overlap
 * @param time the time that has come
 * @param lastEndedAt when one of its runs was over last
 * @param now the present, by the database's clock
 */
record DueJob(String name, long version, @Nullable String handler, @Nullable String topic, @Nullable String cron,
		@Nullable Duration every, String zone, @Nullable String payload, @Nullable String payloadType, Misfire misfire,
		int catchUpMax, boolean overlap, Instant time, @Nullable Instant lastEndedAt, Instant now) {

	Cadence cadence() {
		return Cadence.of(this.cron, this.every, this.zone);
	}

}

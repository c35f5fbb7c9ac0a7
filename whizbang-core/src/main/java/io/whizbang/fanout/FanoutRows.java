package io.whizbang.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Reads fan-outs.
 */
final class FanoutRows {

	private final ResultSet rows;

	FanoutRows(ResultSet rows) {
		this.rows = rows;
	}

	DueTopic due() throws SQLException {
		return new DueTopic(text("topic"), this.rows.getString("cron"), interval(), text("zone"), at("next_run_at"),
				at("known_at"));
	}

	PlannedSlice planned() throws SQLException {
		int number = this.rows.getInt("number");
		UUID id = (number > 0) ? this.rows.getObject("slice_id", UUID.class) : new UUID(0, 0);
		return new PlannedSlice(number, id, time("window_start"), Duration.ofMillis(this.rows.getLong("jitter_ms")));
	}

	FanoutTopic topic(Predicate<String> present) throws SQLException {
		String topic = text("topic");
		return new FanoutTopic(topic, this.rows.getString("cron"), interval(), text("zone"), at("next_run_at"),
				time("retry_at"), time("started_at"), time("ended_at"), time("last_until"), number("candidates"),
				number("planned"), this.rows.getInt("failures"), this.rows.getString("problem"), present.test(topic),
				time("seen_at"), Duration.ofMillis(this.rows.getLong("unseen_ms")), text("defined_by"));
	}

	FanoutCursor cursor() throws SQLException {
		return new FanoutCursor(text("topic"), text("work_key"), text("shard_key"), time("completed_until"),
				time("completed_at"), time("planned_until"), at("planned_at"), this.rows.getInt("plans"));
	}

	TopicPolicy policy() throws SQLException {
		FanoutPolicy policy = new FanoutPolicy(Duration.ofMillis(this.rows.getLong("every_ms")),
				Duration.ofMillis(this.rows.getLong("jitter_ms")));
		return new TopicPolicy(text("work_key"), policy, this.rows.getBoolean("edited"), at("updated_at"));
	}

	/** A number of milliseconds in the first column. */
	@Nullable Duration millis() throws SQLException {
		long millis = this.rows.getLong(1);
		return this.rows.wasNull() ? null : Duration.ofMillis(Math.max(0, millis));
	}

	private @Nullable Duration interval() throws SQLException {
		Long every = number("every_ms");
		return (every != null) ? Duration.ofMillis(every) : null;
	}

	private @Nullable Long number(String column) throws SQLException {
		long number = this.rows.getLong(column);
		return this.rows.wasNull() ? null : number;
	}

	private String text(String column) throws SQLException {
		return String.valueOf(this.rows.getString(column));
	}

	private Instant at(String column) throws SQLException {
		Instant time = time(column);
		return (time != null) ? time : Instant.EPOCH;
	}

	private @Nullable Instant time(String column) throws SQLException {
		OffsetDateTime time = this.rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}

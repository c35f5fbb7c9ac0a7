package io.whizbang.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.function.Predicate;

import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs and their runs.
 */
final class JobRows {

	private final ResultSet rows;

	JobRows(ResultSet rows) {
		this.rows = rows;
	}

	DueJob due() throws SQLException {
		return new DueJob(text("name"), this.rows.getLong("version"), this.rows.getString("handler"),
				this.rows.getString("topic"), this.rows.getString("cron"), every(), text("zone"),
				this.rows.getString("payload"), this.rows.getString("payload_type"),
				Misfire.of(this.rows.getInt("misfire")), this.rows.getInt("catch_up_max"),
				this.rows.getBoolean("overlap"), at("next_fire_at"), time("last_ended_at"), at("known_at"));
	}

	FiredRun fired() throws SQLException {
		return new FiredRun(this.rows.getLong("run_id"), at("scheduled_at"));
	}

	TriggeredRun triggered() throws SQLException {
		return new TriggeredRun(this.rows.getLong("run_id"), this.rows.getString("topic"),
				this.rows.getString("payload"), this.rows.getString("payload_type"), at("scheduled_at"));
	}

	RecoveredRun recovered() throws SQLException {
		return new RecoveredRun(this.rows.getLong("run_id"), text("job_name"), this.rows.getInt("attempts"),
				this.rows.getBoolean("failed"), this.rows.getString("instance"));
	}

	ClaimedRun claimed() throws SQLException {
		JobRun run = new JobRun(this.rows.getLong("run_id"), text("job_name"), at("scheduled_at"),
				this.rows.getBoolean("triggered"), this.rows.getInt("attempts"), this.rows.getLong("token"));
		RetryPolicy retry = new RetryPolicy(this.rows.getInt("max_attempts"),
				Duration.ofMillis(this.rows.getLong("first_delay_ms")), this.rows.getDouble("multiplier"),
				Duration.ofMillis(this.rows.getLong("max_delay_ms")), this.rows.getDouble("jitter"), Set.of());
		return new ClaimedRun(run, text("handler"), this.rows.getString("payload"), retry, at("started_at"));
	}

	RunRecord run() throws SQLException {
		return new RunRecord(this.rows.getLong("run_id"), text("job_name"), at("scheduled_at"),
				this.rows.getBoolean("triggered"), RunStatus.of(this.rows.getInt("status")),
				this.rows.getInt("attempts"), at("due_at"), time("started_at"), time("ended_at"),
				this.rows.getString("error"), this.rows.getString("instance"));
	}

	JobStatus status(Predicate<@Nullable String> present) throws SQLException {
		String handler = this.rows.getString("handler");
		RunRecord last = (this.rows.getString("job_name") != null) ? run() : null;
		return new JobStatus(text("name"), handler, this.rows.getString("topic"), this.rows.getString("cron"), every(),
				text("zone"), this.rows.getBoolean("enabled"), this.rows.getBoolean("paused"),
				Misfire.of(this.rows.getInt("misfire")), this.rows.getInt("catch_up_max"),
				this.rows.getBoolean("overlap"), time("next_fire_at"), time("fired_at"), this.rows.getInt("open_runs"),
				this.rows.getBoolean("failing"), last, this.rows.getString("problem"), present.test(handler),
				time("seen_at"), Duration.ofMillis(this.rows.getLong("seen_ms")), text("defined_by"), at("updated_at"));
	}

	private @Nullable Duration every() throws SQLException {
		long every = this.rows.getLong("every_ms");
		return this.rows.wasNull() ? null : Duration.ofMillis(every);
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

package io.whizbang.perspective;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.event.EventTypeName;
import io.whizbang.event.RawEvent;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the functions about the feed return.
 */
final class FeedRows {

	private final ResultSet rows;

	FeedRows(ResultSet rows) {
		this.rows = rows;
	}

	FeedRow feedRow() throws SQLException {
		long rangeEnd = this.rows.getLong("range_end");
		int seen = this.rows.getInt("seen");
		return new FeedRow(rangeEnd, seen, (number("event_position") != null) ? new FeedEvent(event(), mark()) : null);
	}

	private RawEvent event() throws SQLException {
		return new RawEvent(this.rows.getLong("event_position"), this.rows.getObject("stream_id", UUID.class),
				this.rows.getString("stream_key"), this.rows.getLong("version"),
				this.rows.getObject("event_id", UUID.class),
				new EventTypeName(this.rows.getString("event_type"), this.rows.getInt("type_version")),
				Objects.requireNonNullElse(this.rows.getString("metadata"), ""),
				Objects.requireNonNullElse(this.rows.getString("payload"), ""),
				this.rows.getObject("recorded_at", OffsetDateTime.class).toInstant());
	}

	private @Nullable StreamMark mark() throws SQLException {
		Long version = number("checkpoint_version");
		return (version != null) ? new StreamMark(version, this.rows.getInt("checkpoint_status") == 0) : null;
	}

	Tick tick() throws SQLException {
		return new Tick(this.rows.getString("snapshot"), this.rows.getLong("low"), this.rows.getLong("high"),
				this.rows.getLong("restored"));
	}

	DueStream due() throws SQLException {
		UUID id = this.rows.getObject("stream_id", UUID.class);
		String key = this.rows.getString("stream_key");
		return new DueStream((key != null) ? new StreamId(id, key) : StreamId.of(id), this.rows.getInt("shard"),
				this.rows.getLong("version"), this.rows.getInt("attempts"));
	}

	/** Nothing when the instance counts as dead. */
	Optional<HeldRow> held() throws SQLException {
		Long id = number("run_id");
		if (id == null) {
			return Optional.empty();
		}
		RunInfo run = new RunInfo(id,
				new PerspectiveRun(this.rows.getString("name"), this.rows.getInt("version"), this.rows.getInt("run")),
				this.rows.getInt("status") == 1, this.rows.getInt("shards"));
		HeldShard shard = new HeldShard(this.rows.getInt("shard"), this.rows.getLong("token"),
				this.rows.getLong("moves"), place());
		return Optional.of(new HeldRow(run, this.rows.getInt("members"), shard, this.rows.getBoolean("is_own"),
				this.rows.getBoolean("has_news"), number("due_ms")));
	}

	private Place place() throws SQLException {
		String target = this.rows.getString("target_snapshot");
		return new Place(tick("base", this.rows.getString("base_snapshot")),
				(target != null) ? tick("target", target) : null, this.rows.getLong("shard_position"));
	}

	private Tick tick(String prefix, String snapshot) throws SQLException {
		return new Tick(snapshot, this.rows.getLong(prefix + "_low"), this.rows.getLong(prefix + "_high"),
				this.rows.getLong(prefix + "_restored"));
	}

	private @Nullable Long number(String column) throws SQLException {
		long value = this.rows.getLong(column);
		return this.rows.wasNull() ? null : value;
	}

	/**
	 * A row of a page.
	 *
	 * @param rangeEnd up to where was looked
	 * @param seen how many events there were
	 * @param event the event, or {@code null} when there was none
	 */
	record FeedRow(long rangeEnd, int seen, @Nullable FeedEvent event) {

	}

}

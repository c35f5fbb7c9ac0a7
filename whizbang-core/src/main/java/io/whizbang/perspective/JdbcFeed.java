package io.whizbang.perspective;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.perspective.FeedRows.FeedRow;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events in the order in which they became visible. Every call is a transaction
 * of its own: what is read is checked when it is moved past.
 */
final class JdbcFeed {

	private final JdbcCalls calls;

	JdbcFeed(JdbcCalls calls) {
		this.calls = calls;
	}

	/**
	 * Chooses up to where to read next.
	 * @param base what is done
	 * @return the tick, or {@code null} when there is nothing new
	 */
	@Nullable Tick next(Tick base) {
		List<Tick> next = this.calls.apart("next_perspective_tick(?, ?, ?)",
				(arguments) -> arguments.text(base.snapshot()).number(base.low()).number(base.restored()),
				(rows) -> new FeedRows(rows).tick());
		return next.isEmpty() ? null : next.get(0);
	}

	/**
	 * Reads a page.
	 * @param run the run
	 * @param group which shards, from where to where
	 * @param unwanted types whose events are not needed
	 * @param size how large it may be
	 * @return the page
	 */
	FeedPage page(RunInfo run, ShardGroup group, Collection<String> unwanted, PageSize size) {
		Tick base = group.place().base();
		Tick target = group.place().target();
		if (target == null) {
			throw new IllegalArgumentException("A page needs a target");
		}
		return page(this.calls.apart("read_perspective_page(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.number(run.id())
					.array("int4", group.numbers())
					.count(run.shards())
					.text(base.snapshot())
					.number(base.low())
					.number(base.high())
					.number(base.restored())
					.text(target.snapshot())
					.number(target.high())
					.number(target.restored())
					.number(group.place().position())
					.array("text", unwanted.toArray())
					.count(size.events())
					.number(size.scan())
					.number(size.bytes()),
				(rows) -> new FeedRows(rows).feedRow()));
	}

	/**
	 * Reads the next events of one stream that the feed has passed.
	 * @param stream the stream
	 * @param after its version
	 * @param place how far the feed has come
	 * @param unwanted types whose events are not needed
	 * @param size how many events at most
	 * @return the page
	 */
	FeedPage stream(UUID stream, long after, Place place, Collection<String> unwanted, PageSize size) {
		Tick base = place.base();
		Tick target = Objects.requireNonNullElse(place.target(), base);
		return page(this.calls.apart("read_perspective_stream(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.other(stream)
					.number(after)
					.text(base.snapshot())
					.number(base.high())
					.number(base.restored())
					.text(target.snapshot())
					.number(target.high())
					.number(target.restored())
					.number(place.position())
					.array("text", unwanted.toArray())
					.count(size.events())
					.number(size.bytes()),
				(rows) -> new FeedRows(rows).feedRow()));
	}

	private static FeedPage page(List<FeedRow> rows) {
		long rangeEnd = rows.isEmpty() ? 0 : rows.get(0).rangeEnd();
		int seen = rows.isEmpty() ? 0 : rows.get(0).seen();
		return new FeedPage(rows.stream().map(FeedRow::event).filter(Objects::nonNull).toList(), seen, rangeEnd);
	}

	/**
	 * Finds streams without a checkpoint whose earlier events should have begun one.
	 * @param run the run
	 * @param streams the versions with which checkpoints are to begin
	 * @return those that have earlier ones, or may have
	 */
	List<EarlierEvents> earlier(RunInfo run, Map<UUID, Long> streams) {
		List<Map.Entry<UUID, Long>> all = List.copyOf(streams.entrySet());
		return this.calls.apart("earlier_perspective_events(?, ?, ?)",
				(arguments) -> arguments.number(run.id())
					.array("uuid", all.stream().map(Map.Entry::getKey).toArray())
					.array("int8", all.stream().map(Map.Entry::getValue).toArray()),
				(rows) -> new EarlierEvents(rows.getObject("stream_id", UUID.class), rows.getString("unknown_type")));
	}

	/**
	 * Notes which types a perspective wants.
	 * @param name the perspective
	 * @param version its version
	 * @param wanted whether each type is wanted
	 * @return types that it wants now, but did not when their events were passed
	 */
	List<String> note(String name, int version, Map<String, Boolean> wanted) {
		List<Map.Entry<String, Boolean>> all = List.copyOf(wanted.entrySet());
		return this.calls.apart("record_perspective_mappings(?, ?, ?, ?)",
				(arguments) -> arguments.text(name)
					.count(version)
					.array("text", all.stream().map(Map.Entry::getKey).toArray())
					.array("bool", all.stream().map(Map.Entry::getValue).toArray()),
				(rows) -> rows.getString(1));
	}

	/** How long until the next try of a stream of the shards that is not due yet. */
	@Nullable Duration untilDue(RunInfo run, List<HeldShard> shards) {
		return this.calls
			.apart("next_perspective_due(?, ?, ?)",
					(arguments) -> arguments.number(run.id())
						.array("int4", shards.stream().map(HeldShard::shard).toArray())
						.count(run.shards()),
					(rows) -> Optional.ofNullable(rows.getObject(1, Long.class)))
			.get(0)
			.map(Duration::ofMillis)
			.orElse(null);
	}

	/** Streams of the shards whose next try is due. */
	List<DueStream> due(RunInfo run, List<HeldShard> shards, int limit) {
		return this.calls.apart("due_perspective_streams(?, ?, ?, ?)",
				(arguments) -> arguments.number(run.id())
					.array("int4", shards.stream().map(HeldShard::shard).toArray())
					.count(run.shards())
					.count(limit),
				(rows) -> new FeedRows(rows).due());
	}

	/**
	 * A stream that has events before the one that its checkpoint is to begin with.
	 *
	 * @param stream the stream
	 * @param unknownType type of such an event, of which nobody has asked yet whether it
	 * is wanted; {@code null} when there is one that is
	 */
	record EarlierEvents(UUID stream, @Nullable String unknownType) {

	}

	/**
	 * How large a page may be.
	 *
	 * @param events how many events
	 * @param scan over how many positions
	 * @param bytes how large the payloads may be together, unless it is a single one
	 */
	record PageSize(int events, long scan, long bytes) {

	}

}

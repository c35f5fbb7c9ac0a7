package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.perspective.JdbcProgress.Hold;
import org.jspecify.annotations.Nullable;

/**
 * Works on some shards of a run, page after page. One thread at a time runs it.
 */
final class Lane {

	private final RunInfo run;

	private final LaneTools tools;

	private final Failures failures;

	private final DueStreams due;

	private List<HeldShard> shards = new ArrayList<>();

	private @Nullable OpenPage page;

	private @Nullable PageAhead ahead;

	private int limit;

	private boolean caughtUp;

	/**
	 * Whether it is the turn of what is new, and not of streams that go by themselves.
	 */
	private boolean feedsFirst;

	Lane(RunInfo run, LaneTools tools) {
		this.run = run;
		this.tools = tools;
		this.failures = new Failures(tools.progress(), tools.settings().retry(), tools.listener());
		this.due = new DueStreams(run, tools, this.failures);
		this.limit = tools.settings().pageSize();
	}

	RunInfo run() {
		return this.run;
	}

	List<HeldShard> shards() {
		return this.shards;
	}

	/** Whether all that was visible a moment ago is done. */
	boolean isCaughtUp() {
		return this.caughtUp;
	}

	/** When the next stream is due that goes by itself, as nano time. */
	long dueAt() {
		return this.due.dueAt();
	}

	/**
	 * Takes over what the database says about the shards; what this lane has done itself
	 * meanwhile may be missing there.
	 */
	void assign(List<HeldRow> rows, long now) {
		Map<Integer, HeldShard> known = this.shards.stream()
			.collect(Collectors.toMap(HeldShard::shard, Function.identity()));
		List<HeldShard> assigned = new ArrayList<>();
		for (HeldRow row : rows) {
			HeldShard mine = known.get(row.shard().shard());
			assigned.add((mine == null || mine.isOlderThan(row.shard())) ? row.shard() : mine);
		}
		if (!assigned.equals(this.shards)) {
			this.shards = assigned;
			drop();
		}
		rows.stream()
			.map(HeldRow::dueMillis)
			.filter((due) -> due != null)
			.findFirst()
			.ifPresent((due) -> this.due.dueIn(Duration.ofMillis(due), now));
	}

	/** Forgets what it believes about the shards. */
	void forget() {
		this.shards = new ArrayList<>();
		drop();
	}

	/** Its turn ends: nothing of it goes on. */
	void rest() {
		if (this.ahead != null) {
			this.ahead.discard();
			this.ahead = null;
		}
	}

	/** Forgets what was read. */
	private void drop() {
		this.page = null;
		rest();
	}

	/**
	 * Does one step: a transaction, or a look whether there is anything to do.
	 * @param instance who holds the shards
	 * @return what came of it
	 */
	Progress step(UUID instance) {
		Progress followed = this.feedsFirst ? follow(instance) : null;
		this.feedsFirst = false;
		if (followed != null && followed != Progress.NOTHING) {
			return followed;
		}
		List<DueStream> due = this.due.take(this.shards);
		if (due.isEmpty()) {
			return (followed != null) ? followed : follow(instance);
		}
		// They take turns: neither may keep the other waiting.
		this.feedsFirst = true;
		if (this.due.advance(due, instance, this.shards)) {
			// A page that was read before knows them as streams that do not follow.
			drop();
		}
		return Progress.DONE;
	}

	/** Goes on with what is new. */
	private Progress follow(UUID instance) {
		OpenPage page = this.page;
		if (page == null) {
			ShardGroup group = ShardGroup.next(this.shards, this.tools.feed()::next);
			if (group == null) {
				this.caughtUp = true;
				this.limit = this.tools.settings().pageSize();
				return Progress.NOTHING;
			}
			page = open(group);
			this.page = page;
			this.ahead = readBehind(page);
		}
		return apply(new Hold(this.run, instance, page.group()), page);
	}

	private OpenPage open(ShardGroup group) {
		PageAhead ahead = this.ahead;
		this.ahead = null;
		FeedPage read = null;
		Map<UUID, StreamMark> moved = Map.of();
		if (ahead != null) {
			read = ahead.take();
			moved = ahead.moved();
		}
		if (ahead == null || read == null || !ahead.isFor(group)) {
			read = read(group);
			moved = Map.of();
		}
		return OpenPage.of(this.run, group, read, moved, this.tools.projection().interests(),
				this.tools.settings().pageSize());
	}

	private FeedPage read(ShardGroup group) {
		return this.tools.feed()
			.page(this.run, group, this.tools.projection().interests().unwanted(), this.tools.settings().page());
	}

	/** Only who is behind has something to read ahead. */
	private @Nullable PageAhead readBehind(OpenPage page) {
		Place end = page.placeBefore(page.count());
		if (end.target() == null) {
			return null;
		}
		ShardGroup behind = page.group().at(end);
		return PageAhead.begin(behind, () -> read(behind), this.tools.reader());
	}

	private Progress apply(Hold hold, OpenPage page) {
		PageSlice slice = new PageSlice(page, this.tools.projection(), this.run.run(), this.tools.completion());
		long start = System.nanoTime();
		try {
			this.tools.commit(hold, page, slice, this.limit);
		}
		catch (ShardLostException | StreamChangedException ex) {
			drop();
			throw ex;
		}
		catch (Throwable ex) {
			Failures.rethrowFatal(ex);
			return failed(hold, slice, ex);
		}
		committed(page, slice);
		this.failures.passed();
		this.tools.applied(this.run, page, slice, Duration.ofNanos(System.nanoTime() - start));
		return (slice.done() > 0) ? Progress.DONE : Progress.MOVED;
	}

	private void committed(OpenPage page, PageSlice slice) {
		Place place = page.placeBefore(slice.index());
		OpenPage rest = page.behind(slice.index(), slice.moves(), place);
		Map<Integer, HeldShard> moved = rest.group()
			.shards()
			.stream()
			.collect(Collectors.toMap(HeldShard::shard, Function.identity()));
		this.shards = this.shards.stream().map((shard) -> moved.getOrDefault(shard.shard(), shard)).toList();
		this.page = rest.isDone() ? null : rest;
		if (this.ahead != null) {
			this.ahead.moved(slice.moves());
		}
		this.limit = Math.min(this.tools.settings().pageSize(), this.limit * 2);
		Tick target = place.target();
		this.caughtUp = target == null || target.high() - place.position() < this.tools.settings().pageSize();
	}

	private Progress failed(Hold hold, PageSlice slice, Throwable failure) {
		EventFailedException failed = (failure instanceof EventFailedException known) ? known : null;
		Throwable reason = (failed != null) ? failed.failure() : failure;
		if (this.failures.isPassing(reason)) {
			drop();
			throw new PassingFailureException(reason);
		}
		if (failed == null || Failures.isAftermath(reason)) {
			if (slice.applied() > 1) {
				this.limit = slice.applied() / 2;
				return Progress.DONE;
			}
			failed = slice.blame(reason);
		}
		drop();
		if (failed == null) {
			throw new PassingFailureException(reason);
		}
		this.due.dueIn(this.failures.stop(hold, failed, 0), System.nanoTime());
		this.limit = Math.max(1, this.limit / 8);
		return Progress.DONE;
	}

	/** What came of a step. */
	enum Progress {

		/** There was nothing to do. */
		NOTHING,

		/** The shards have moved, but there was nothing of theirs. */
		MOVED,

		/** Something was done. */
		DONE

	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.whizbang.perspective.JdbcProgress.Hold;
import org.jspecify.annotations.Nullable;

/**
 * Works on some shards of a run, page after page. One thread at a time runs it.
 */
final class Lane {

	/** Streams that go by themselves must not keep the feed waiting, nor it them. */
	private static final int DUE_AT_ONCE = 10;

	private final RunInfo run;

	private final LaneTools tools;

	private final Failures failures;

	private final StreamPath path;

	private List<HeldShard> shards = new ArrayList<>();

	private @Nullable OpenPage page;

	private int limit;

	private long dueAt;

	private boolean caughtUp;

	Lane(RunInfo run, LaneTools tools) {
		this.run = run;
		this.tools = tools;
		this.failures = new Failures(tools.progress(), tools.settings().retry(), tools.listener());
		this.path = new StreamPath(run, tools.projection(), tools.feed(), tools.progress(), tools.transactions(),
				tools.settings(), this.failures);
		this.limit = tools.settings().pageSize();
		this.dueAt = System.nanoTime();
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
		return this.dueAt;
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
			this.page = null;
		}
		rows.stream().map(HeldRow::dueMillis).filter((due) -> due != null).findFirst().ifPresent((due) -> {
			long at = now + Duration.ofMillis(due).toNanos();
			this.dueAt = (at - this.dueAt < 0 || this.dueAt - now < 0) ? at : this.dueAt;
		});
	}

	/** Forgets what it believes about the shards. */
	void forget() {
		this.shards = new ArrayList<>();
		this.page = null;
	}

	/**
	 * Does one step: a transaction, or a look whether there is anything to do.
	 * @param instance who holds the shards
	 * @return what came of it
	 */
	Progress step(UUID instance) {
		if (System.nanoTime() - this.dueAt >= 0) {
			Progress due = advanceDue(instance);
			if (due != Progress.NOTHING) {
				return due;
			}
		}
		OpenPage page = this.page;
		if (page == null) {
			ShardGroup group = nextGroup();
			if (group == null) {
				this.caughtUp = true;
				this.limit = this.tools.settings().pageSize();
				return Progress.NOTHING;
			}
			page = OpenPage.read(this.tools.feed(), this.run, group, this.tools.projection().interests(),
					this.tools.settings().page());
			this.page = page;
		}
		return apply(new Hold(this.run, instance, page.group()), page);
	}

	private @Nullable ShardGroup nextGroup() {
		if (this.shards.isEmpty()) {
			return null;
		}
		List<ShardGroup> groups = ShardGroup.of(this.shards);
		ShardGroup group = groups.get(0);
		if (group.place().target() != null) {
			return group;
		}
		Tick base = group.place().base();
		// Who is behind goes where the next ones are, so that they meet and go on
		// together.
		Tick target = groups.stream()
			.flatMap((other) -> Stream.of(other.place().base(), other.place().target()))
			.filter((tick) -> tick != null && tick.compareTo(base) > 0)
			.min(Comparator.naturalOrder())
			.orElse(null);
		if (target == null) {
			target = this.tools.feed().next(base);
		}
		return (target != null) ? group.at(group.place().towards(target)) : null;
	}

	private Progress apply(Hold hold, OpenPage page) {
		PageSlice slice = new PageSlice(page, this.tools.projection(), this.run.run(), this.tools.completion());
		long start = System.nanoTime();
		try {
			this.tools.transactions()
				.run(() -> slice.apply(this.limit, this.tools.settings().streamBatch(),
						() -> this.tools.progress().shareModel(hold)),
						() -> this.tools.progress()
							.movePage(hold, page.placeBefore(slice.index()), slice.moves(),
									this.tools.settings().lease()));
		}
		catch (ShardLostException | StreamChangedException ex) {
			this.page = null;
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
		this.limit = Math.min(this.tools.settings().pageSize(), this.limit * 2);
		Tick target = place.target();
		this.caughtUp = target == null || target.high() - place.position() < this.tools.settings().pageSize();
	}

	private Progress failed(Hold hold, PageSlice slice, Throwable failure) {
		EventFailedException failed = (failure instanceof EventFailedException known) ? known : null;
		Throwable reason = (failed != null) ? failed.failure() : failure;
		if (this.failures.isPassing(reason)) {
			this.page = null;
			throw new PassingFailureException(reason);
		}
		if (failed == null || Failures.isAftermath(reason)) {
			if (slice.applied() > 1) {
				this.limit = slice.applied() / 2;
				return Progress.DONE;
			}
			failed = slice.blame(reason);
		}
		this.page = null;
		if (failed == null) {
			throw new PassingFailureException(reason);
		}
		due(this.failures.stop(hold, failed, 0));
		this.limit = Math.max(1, this.limit / 8);
		return Progress.DONE;
	}

	private void due(Duration delay) {
		long at = System.nanoTime() + delay.toNanos();
		this.dueAt = (this.dueAt - System.nanoTime() < 0 || at - this.dueAt < 0) ? at : this.dueAt;
	}

	private Progress advanceDue(UUID instance) {
		this.dueAt = System.nanoTime() + Duration.ofDays(1).toNanos();
		if (this.shards.isEmpty()) {
			return Progress.NOTHING;
		}
		List<DueStream> due = this.tools.feed().due(this.run, this.shards, DUE_AT_ONCE);
		for (DueStream stream : due) {
			this.shards.stream()
				.filter((shard) -> shard.shard() == stream.shard())
				.findFirst()
				.ifPresent((shard) -> advance(instance, shard, stream));
		}
		if (due.size() == DUE_AT_ONCE) {
			this.dueAt = System.nanoTime();
		}
		return due.isEmpty() ? Progress.NOTHING : Progress.DONE;
	}

	private void advance(UUID instance, HeldShard shard, DueStream stream) {
		// A page that was read before knows the stream as one that does not follow.
		this.page = null;
		StreamPath.Step step = this.path.advance(instance, shard, stream);
		this.tools.advanced(this.run, stream, step);
		due((step.delay() != null) ? step.delay() : step.follows() ? Duration.ofDays(1) : Duration.ZERO);
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

package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The streams of a lane that go by themselves, after a failure or for a replay, and when
 * the next of them is due.
 */
final class DueStreams {

	/** They must not keep the feed waiting, nor it them. */
	private static final int AT_ONCE = 10;

	private static final Duration LONG = Duration.ofDays(1);

	private final RunInfo run;

	private final LaneTools tools;

	private final StreamPath path;

	private long dueAt = System.nanoTime();

	DueStreams(RunInfo run, LaneTools tools, Failures failures) {
		this.run = run;
		this.tools = tools;
		this.path = new StreamPath(run, tools, failures);
	}

	/** When the next one is due, as nano time. */
	long dueAt() {
		return this.dueAt;
	}

	/** One of them is due so long from now on, as far as the database knows. */
	void dueIn(Duration delay, long now) {
		long at = now + delay.toNanos();
		this.dueAt = (at - this.dueAt < 0) ? at : this.dueAt;
	}

	/** Finds those that are due now, a few at once. */
	List<DueStream> take(List<HeldShard> shards) {
		if (System.nanoTime() - this.dueAt < 0) {
			return List.of();
		}
		long now = System.nanoTime();
		this.dueAt = now + LONG.toNanos();
		if (shards.isEmpty()) {
			return List.of();
		}
		// Asked first, so that none is missed that becomes due in between.
		Duration next = this.tools.feed().untilDue(this.run, shards);
		if (next != null) {
			dueIn(next, now);
		}
		return this.tools.feed().due(this.run, shards, AT_ONCE);
	}

	/**
	 * Brings streams on.
	 * @param streams what {@link #take} has found
	 * @param instance who holds the shards
	 * @param shards the shards
	 * @return whether one of them follows the feed again
	 */
	boolean advance(List<DueStream> streams, UUID instance, List<HeldShard> shards) {
		boolean follows = false;
		for (DueStream stream : streams) {
			HeldShard shard = shards.stream().filter((held) -> held.shard() == stream.shard()).findFirst().orElse(null);
			if (shard != null) {
				follows |= advance(stream, instance, shard);
			}
		}
		if (streams.size() == AT_ONCE) {
			this.dueAt = System.nanoTime();
		}
		return follows;
	}

	private boolean advance(DueStream stream, UUID instance, HeldShard shard) {
		StreamPath.Step step = this.path.advance(instance, shard, stream);
		this.tools.advanced(this.run, stream, step);
		Duration delay = (step.delay() != null) ? step.delay() : step.follows() ? LONG : Duration.ZERO;
		dueIn(delay, System.nanoTime());
		return step.follows();
	}

}

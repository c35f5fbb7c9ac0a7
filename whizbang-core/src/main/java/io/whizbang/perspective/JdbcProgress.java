package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.work.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Moves shards and checkpoints, in the current transaction. Whoever does not hold a shard
 * any more moves nothing.
 */
final class JdbcProgress {

	private final JdbcCalls calls;

	JdbcProgress(JdbcCalls calls) {
		this.calls = calls;
	}

	/**
	 * Keeps the model from being emptied until the current transaction ends. Comes before
	 * the model is changed: who empties it waits for it first, and has the shards then.
	 * @param hold who changes it
	 * @throws ShardLostException when the run has ended
	 */
	void shareModel(Hold hold) {
		boolean alive = this.calls
			.within("share_model(?)", (arguments) -> arguments.number(hold.run().id()), (rows) -> rows.getBoolean(1))
			.get(0);
		if (!alive) {
			throw new ShardLostException(hold.run().run(), hold.group());
		}
	}

	/**
	 * Moves shards and the checkpoints of their streams.
	 * @param hold who moves which shards
	 * @param to where to
	 * @param streams the checkpoints, in the order of their streams
	 * @param lease how long the shards stay in the caller's hands
	 * @throws ShardLostException when they are not any more
	 * @throws StreamChangedException when somebody has changed a checkpoint meanwhile
	 */
	void movePage(Hold hold, Place to, List<StreamMove> streams, Duration lease) {
		Tick target = to.target();
		int[] moved = this.calls
			.within("commit_perspective_page(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
					(arguments) -> arguments.number(hold.run().id())
						.other(hold.instance())
						.array("int4", hold.group().numbers())
						.array("int8", hold.group().tokens())
						.array("int8", hold.group().moves())
						.number(lease.toMillis())
						.text(to.base().snapshot())
						.number(to.base().low())
						.number(to.base().high())
						.number(to.base().restored())
						.text((target != null) ? target.snapshot() : null)
						.number((target != null) ? target.low() : null)
						.number((target != null) ? target.high() : null)
						.number((target != null) ? target.restored() : null)
						.number(to.position())
						.array("uuid", streams.stream().map(StreamMove::stream).toArray())
						.array("int8", streams.stream().map(StreamMove::found).toArray())
						.array("int8", streams.stream().map(StreamMove::version).toArray())
						.array("int8", streams.stream().map(StreamMove::position).toArray())
						.array("uuid", streams.stream().map(StreamMove::eventId).toArray()),
					(rows) -> new int[] { rows.getInt("shards_moved"), rows.getInt("streams_moved") })
			.get(0);
		if (moved[0] != hold.group().shards().size()) {
			throw new ShardLostException(hold.run().run(), hold.group());
		}
		if (moved[1] != streams.size()) {
			throw new StreamChangedException(hold.run().run());
		}
	}

	/**
	 * Moves one stream that goes by itself.
	 * @param hold who moves it, with its shard alone
	 * @param due the stream
	 * @param last the last event that was applied, or {@code null} when there was none
	 * @param follows whether it has caught up with the feed
	 * @throws ShardLostException when its shard is somebody else's, or has been moved
	 */
	void moveStream(Hold hold, DueStream due, @Nullable FeedEvent last, boolean follows) {
		HeldShard shard = hold.group().shards().get(0);
		boolean moved = this.calls
			.within("commit_perspective_stream(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
					(arguments) -> arguments.number(hold.run().id())
						.other(hold.instance())
						.count(shard.shard())
						.number(shard.token())
						.number(shard.moves())
						.other(due.stream().value())
						.number(due.version())
						.number((last != null) ? last.event().version() : due.version())
						.number((last != null) ? last.event().position() : null)
						.other((last != null) ? last.event().id() : null)
						.flag(follows),
					(rows) -> rows.getBoolean(1))
			.get(0);
		if (!moved) {
			throw new ShardLostException(hold.run().run(), hold.group());
		}
	}

	/**
	 * Stops a stream where it stands, in a transaction of its own.
	 * @param hold who does it
	 * @param stream the stream
	 * @param version where it stands
	 * @param failed version of the event that failed
	 * @param outcome whether it is tried again
	 * @return how often it has failed
	 * @throws ShardLostException when its shard is somebody else's, or has been moved
	 */
	int fail(Hold hold, UUID stream, long version, long failed, Outcome outcome) {
		Outcome.Retry retry = (outcome instanceof Outcome.Retry again) ? again : null;
		Outcome.Dead dead = (outcome instanceof Outcome.Dead never) ? never : null;
		String error = (retry != null) ? retry.error() : (dead != null) ? dead.error() : "";
		List<Integer> attempts = this.calls.apart("fail_perspective_stream(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				(arguments) -> arguments.number(hold.run().id())
					.other(hold.instance())
					.array("int4", hold.group().numbers())
					.array("int8", hold.group().tokens())
					.array("int8", hold.group().moves())
					.other(stream)
					.number(version)
					.number(failed)
					.number((retry != null) ? retry.delay().toMillis() : null)
					.text((dead != null) ? dead.reason() : null)
					.text(error),
				(rows) -> rows.getInt(1));
		if (attempts.get(0) == 0) {
			throw new ShardLostException(hold.run().run(), hold.group());
		}
		return attempts.get(0);
	}

	/**
	 * Who moves what.
	 *
	 * @param run the run
	 * @param instance the instance
	 * @param group its shards, as it believes them to be
	 */
	record Hold(RunInfo run, UUID instance, ShardGroup group) {

	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.micrometer.observation.Observation.CheckedRunnable;
import io.whizbang.event.StoredEvent;
import io.whizbang.observation.PerspectiveObservations;
import io.whizbang.perspective.JdbcProgress.Hold;
import org.jspecify.annotations.Nullable;

/**
 * Brings one stream on that goes by itself, after a failure or for a replay, until it has
 * caught up with the feed. It never runs ahead: what the feed has not passed is the
 * feed's to apply.
 */
final class StreamPath {

	private final RunInfo run;

	private final Projection projection;

	private final JdbcFeed feed;

	private final JdbcProgress progress;

	private final ModelTransactions transactions;

	private final PerspectiveSettings settings;

	private final PerspectiveObservations observations;

	private final Failures failures;

	StreamPath(RunInfo run, LaneTools tools, Failures failures) {
		this.run = run;
		this.projection = tools.projection();
		this.feed = tools.feed();
		this.progress = tools.progress();
		this.transactions = tools.transactions();
		this.settings = tools.settings();
		this.observations = tools.observations();
		this.failures = failures;
	}

	/**
	 * Tries the next events of a stream.
	 * @param instance who holds its shard
	 * @param shard the shard
	 * @param due the stream
	 * @return what became of it
	 */
	Step advance(UUID instance, HeldShard shard, DueStream due) {
		Hold hold = new Hold(this.run, instance, new ShardGroup(shard.place(), List.of(shard)));
		int limit = this.settings.streamBatch();
		while (true) {
			FeedPage page = this.feed.stream(due.stream().value(), due.version(), shard.place(),
					this.projection.interests().unwanted(), this.settings.stream(limit));
			this.projection.interests().learn(page.events());
			Batch batch = new Batch(page.events(), due);
			boolean follows = !page.isCut(limit);
			try {
				commit(hold, due, batch, follows);
				this.failures.passed();
				return new Step(batch.applied, page.events().size(), follows, null);
			}
			catch (ShardLostException ex) {
				throw ex;
			}
			catch (Throwable ex) {
				Failures.rethrowFatal(ex);
				EventFailedException failed = (ex instanceof EventFailedException known) ? known : null;
				int good = (failed != null) ? page.events().indexOf(failed.event()) : 0;
				if (failed != null && good > 0 && !Failures.isAftermath(failed.failure())) {
					// What comes before it is good.
					limit = good;
					continue;
				}
				Throwable reason = (failed != null) ? failed.failure() : ex;
				if (this.failures.isPassing(reason) || page.events().isEmpty()) {
					throw new PassingFailureException(reason);
				}
				if (page.events().size() > 1 && (failed == null || Failures.isAftermath(reason))) {
					limit = page.events().size() / 2;
					continue;
				}
				Duration delay = this.failures.stop(hold,
						new EventFailedException(page.events().get(0), due.version(), reason), due.attempts());
				return new Step(0, 0, false, delay);
			}
		}
	}

	private void commit(Hold hold, DueStream due, Batch batch, boolean follows) {
		CheckedRunnable<RuntimeException> transaction = () -> this.transactions.run(() -> {
			this.progress.shareModel(hold);
			batch.apply();
		}, () -> this.progress.moveStream(hold, due, batch.last(), follows));
		if (batch.last() != null) {
			this.observations.apply(this.run.name(), due.stream().key(), transaction, () -> batch.applied,
					Failures::reason);
		}
		else {
			transaction.run();
		}
	}

	/**
	 * What became of a stream.
	 *
	 * @param applied how many events were applied
	 * @param done how many events are done with
	 * @param follows whether it follows the feed again
	 * @param delay how long it waits after another failure, or {@code null}
	 */
	record Step(int applied, int done, boolean follows, @Nullable Duration delay) {

	}

	/** Events of one stream that are applied in one transaction. */
	private final class Batch {

		private final List<FeedEvent> events;

		private final DueStream due;

		private int applied;

		Batch(List<FeedEvent> events, DueStream due) {
			this.events = events;
			this.due = due;
		}

		@Nullable FeedEvent last() {
			return this.events.isEmpty() ? null : this.events.get(this.events.size() - 1);
		}

		void apply() {
			long version = this.due.version();
			for (FeedEvent event : this.events) {
				try {
					if (event.event().version() != version + 1) {
						throw PerspectiveOrderException.of(StreamPath.this.run.run(), this.due.stream().key(), version,
								event.event().version());
					}
					if (StreamPath.this.projection.interests().wants(event)) {
						StoredEvent stored = StreamPath.this.projection.decode(event);
						apply(stored);
						this.applied++;
					}
				}
				catch (Throwable ex) {
					throw new EventFailedException(event, this.due.version(), ex);
				}
				version++;
			}
		}

		private void apply(StoredEvent stored) throws Exception {
			PerspectiveRun run = StreamPath.this.run.run();
			if (StreamPath.this.projection.isTogether()) {
				StreamPath.this.projection.handler().applyAll(List.of(stored), run);
			}
			else {
				StreamPath.this.projection.handler().apply(stored, run);
			}
		}

	}

}

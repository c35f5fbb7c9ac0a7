package io.whizbang.perspective;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.micrometer.observation.Observation.CheckedRunnable;
import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.observation.PerspectiveObservations;
import io.whizbang.perspective.JdbcProgress.Hold;

/**
 * What a lane works with.
 *
 * @param projection the perspective's code
 * @param feed where events come from
 * @param progress notes what is done
 * @param transactions the transactions of the model
 * @param settings how to go about it
 * @param completion how much is applied in one transaction
 * @param listener hears what happens
 * @param waiters wait for events to be applied
 * @param reader reads pages ahead
 * @param observations who observes
 */
record LaneTools(Projection projection, JdbcFeed feed, JdbcProgress progress, ModelTransactions transactions,
		PerspectiveSettings settings, CompletionStrategy completion, PerspectiveListener listener, Waiters waiters,
		Executor reader, PerspectiveObservations observations) {

	static LaneTools of(PerspectiveParts parts, Projection projection, JdbcCalls calls, Waiters waiters,
			Executor reader) {
		return new LaneTools(projection, new JdbcFeed(calls), new JdbcProgress(calls),
				new ModelTransactions(parts.transactions()), parts.settings(), parts.completion(), parts.listener(),
				waiters, reader, parts.observations());
	}

	/** Applies a part of a page and notes it, in one transaction. */
	void commit(Hold hold, OpenPage page, PageSlice slice, int limit) throws Exception {
		CheckedRunnable<Exception> transaction = () -> this.transactions.run(
				() -> slice.apply(limit, this.settings.streamBatch(), () -> this.progress.shareModel(hold)),
				() -> this.progress.movePage(hold, page.placeBefore(slice.index()), slice.moves(),
						this.settings.lease()));
		if (page.next() < page.count()) {
			this.observations.apply(hold.run().name(), null, transaction, slice::applied, Failures::reason);
		}
		else {
			transaction.run();
		}
	}

	void applied(RunInfo run, OpenPage page, PageSlice slice, Duration took) {
		if (run.serving() && this.waiters.isAwaited(run.name())) {
			for (int i = page.next(); i < slice.index(); i++) {
				FeedEvent event = page.event(i);
				StreamMark mark = page.mark(event.event().streamId());
				if (mark == null || mark.follows()) {
					this.waiters.reached(run.name(), event.event().streamId(), event.event().version());
				}
			}
		}
		if (slice.done() > 0) {
			Listeners
				.tell(() -> this.listener.applied(run.run(), slice.applied(), slice.done() - slice.applied(), took));
		}
	}

	void advanced(RunInfo run, DueStream stream, StreamPath.Step step) {
		if (step.done() > 0 && run.serving()) {
			this.waiters.reached(run.name(), stream.stream().value(), stream.version() + step.done());
		}
		if (step.applied() > 0) {
			Listeners.tell(() -> this.listener.applied(run.run(), step.applied(), step.done() - step.applied(),
					Duration.ZERO));
		}
		if (step.follows()) {
			Listeners.tell(() -> this.listener.recovered(run.run(), stream.stream()));
		}
	}

}

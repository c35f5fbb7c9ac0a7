package io.whizbang.perspective;

import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;

import io.whizbang.message.StreamId;
import io.whizbang.perspective.JdbcProgress.Hold;
import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.worker.TransientErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who is to blame for a failure, and stops the stream that is.
 */
final class Failures {

	private static final Logger logger = LoggerFactory.getLogger(Failures.class);

	private static final String TRANSACTION_ABORTED = "25P02";

	private static final int MAX_CAUSES = 20;

	/** What passes by itself should have passed by then. */
	private static final int MANY = 10;

	private final JdbcProgress progress;

	private final RetryPolicy retry;

	private final PerspectiveListener listener;

	private int passing;

	Failures(JdbcProgress progress, RetryPolicy retry, PerspectiveListener listener) {
		this.progress = progress;
		this.retry = retry;
		this.listener = listener;
	}

	/**
	 * Says whether a failure is nobody's fault: the database is away or busy. A handler
	 * that fails so again and again, while others succeed, is to blame in the end.
	 */
	boolean isPassing(Throwable failure) {
		if (!TransientErrors.isTransient(failure) && !(failure instanceof InterruptedException)) {
			return false;
		}
		this.passing++;
		return this.passing < MANY;
	}

	/** Something has succeeded. */
	void passed() {
		this.passing = 0;
	}

	/**
	 * Says whether an earlier statement of the transaction had failed, maybe of another
	 * event whose code did not tell.
	 */
	static boolean isAftermath(Throwable failure) {
		return Stream.<Throwable>iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch((cause) -> cause instanceof SQLException sql && TRANSACTION_ABORTED.equals(sql.getSQLState()));
	}

	/** What has gone wrong, without the word of which event it was. */
	static Throwable reason(Throwable failure) {
		return (failure instanceof EventFailedException failed) ? failed.failure() : failure;
	}

	/** The machine itself is in trouble: no event is to blame for that. */
	static void rethrowFatal(Throwable failure) {
		if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
			throw fatal;
		}
	}

	/**
	 * Stops a stream.
	 * @param hold who does it
	 * @param failed what has failed
	 * @param attempts how often the stream had failed before
	 * @return how long until its next try; a day when there is none
	 */
	Duration stop(Hold hold, EventFailedException failed, int attempts) {
		PerspectiveRun run = hold.run().run();
		long version = failed.event().event().version();
		StreamId stream = stream(failed.event());
		Outcome outcome = this.retry.afterFailure(attempts, failed.failure());
		int count = this.progress.fail(hold, stream.value(), failed.reached(), version, outcome);
		this.passing = 0;
		if (outcome instanceof Outcome.Retry again) {
			logger.warn("Event {} of the stream {} failed in {} at attempt {}; the stream waits {} ms there: {}",
					version, stream.key(), run, count, again.delay().toMillis(), failed.failure().toString());
			Listeners.tell(() -> this.listener.failed(run, stream, version, count, failed.failure()));
			return again.delay();
		}
		logger.error(
				"Event {} of the stream {} failed in {} at attempt {}; the stream stops there, see the dead letters",
				version, stream.key(), run, count, failed.failure());
		Listeners.tell(() -> this.listener.dead(run, stream, version, count, failed.failure()));
		return Duration.ofDays(1);
	}

	static StreamId stream(FeedEvent event) {
		String key = event.event().streamKey();
		return (key != null) ? new StreamId(event.event().streamId(), key) : StreamId.of(event.event().streamId());
	}

}

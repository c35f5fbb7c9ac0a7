package io.whizbang.job;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;

import io.whizbang.work.Outcome;
import io.whizbang.worker.Backoff;
import io.whizbang.worker.CallLeases;
import io.whizbang.worker.TransientErrors;
import io.whizbang.worker.Waker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the handlers of runs that were claimed, and reports how they end.
 */
final class RunExecutor {

	private static final Logger logger = LoggerFactory.getLogger(RunExecutor.class);

	private final JobParts parts;

	private final CallLeases<HeldRun> leases;

	private final Executor executor;

	private final Runnable ended;

	private volatile boolean leaving;

	/**
	 * Creates an executor.
	 * @param parts what jobs are made of
	 * @param leases keeps the runs under way
	 * @param executor runs the handlers
	 * @param ended is told that there is room again
	 */
	RunExecutor(JobParts parts, CallLeases<HeldRun> leases, Executor executor, Runnable ended) {
		this.parts = parts;
		this.leases = leases;
		this.executor = executor;
		this.ended = ended;
	}

	void restart() {
		this.leaving = false;
	}

	void begin(HeldRun run) {
		this.executor.execute(() -> work(run));
	}

	/** Gives back runs that were not begun. */
	void giveBack(List<HeldRun> runs) {
		runs.forEach(this.leases::remove);
		if (!runs.isEmpty()) {
			this.parts.store().release(runs.stream().map(HeldRun::run).toList());
		}
	}

	/** Interrupts what is under way, and gives it back. */
	void release() {
		this.leaving = true;
		Collection<HeldRun> runs = this.leases.all();
		if (runs.isEmpty()) {
			return;
		}
		logger.warn("{} runs of jobs did not end in time; they are interrupted, and go again elsewhere", runs.size());
		try {
			this.parts.store().release(runs.stream().map(HeldRun::run).toList());
		}
		catch (RuntimeException ex) {
			logger.warn("The database does not answer; the runs go again when their leases end", ex);
		}
		runs.forEach(HeldRun::gone);
	}

	private void work(HeldRun run) {
		try {
			if (run.begin()) {
				this.parts.listener().started(run.run(), run.claimed().lateness());
				long start = System.nanoTime();
				Throwable failure = call(run);
				end(run, failure, Duration.ofNanos(System.nanoTime() - start));
			}
		}
		finally {
			this.leases.remove(run);
			this.ended.run();
		}
	}

	private @Nullable Throwable call(HeldRun run) {
		try {
			JobRun info = run.run();
			this.parts.observations()
				.run(info.job(), info.id(), info.attempt(),
						() -> this.parts.handlers().run(run.claimed(), this.parts.codec()));
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
		finally {
			run.returned();
		}
	}

	private void end(HeldRun run, @Nullable Throwable failure, Duration took) {
		if (run.isGone()) {
			tellLost(run.run());
			return;
		}
		Ending ending = (failure != null) ? ending(run, failure) : new Ending(RunStatus.SUCCEEDED, Duration.ZERO, null);
		if (report(run, ending)) {
			this.parts.listener().ended(run.run(), ending.status(), took, failure);
		}
	}

	private static Ending ending(HeldRun run, Throwable failure) {
		JobRun info = run.run();
		Outcome outcome = run.claimed().retry().afterFailure(info.attempt() - 1, failure);
		if (outcome instanceof Outcome.Retry retry) {
			logger.warn("Run {} of the job \"{}\" failed at attempt {}; next try in {} ms: {}", info.id(), info.job(),
					info.attempt(), retry.delay().toMillis(), failure.toString());
			return new Ending(RunStatus.RETRYING, retry.delay(), retry.error());
		}
		if (outcome instanceof Outcome.Dead dead) {
			logger.error("Run {} of the job \"{}\" has failed for good ({})", info.id(), info.job(), dead.reason(),
					failure);
			return new Ending(RunStatus.FAILED, Duration.ZERO, dead.error());
		}
		throw new IllegalStateException("A failure has the outcome " + outcome);
	}

	/**
	 * What has ended must not run again only because the database is away for a while.
	 */
	private boolean report(HeldRun run, Ending ending) {
		JobRun info = run.run();
		Backoff backoff = new Backoff();
		while (true) {
			try {
				boolean accepted = !run.isGone()
						&& this.parts.store().end(info, ending.status(), ending.delay(), ending.error());
				if (!accepted) {
					tellLost(info);
				}
				return accepted;
			}
			catch (RuntimeException ex) {
				Duration pause = backoff.failed();
				if (this.leaving || !TransientErrors.isTransient(ex)) {
					logger.error("The end of run {} of the job \"{}\" could not be reported; it goes again", info.id(),
							info.job(), ex);
					return false;
				}
				if (backoff.failures() == 1) {
					logger.warn("The end of run {} of the job \"{}\" could not be reported yet", info.id(), info.job(),
							ex);
				}
				new Waker().await(pause);
			}
		}
	}

	private void tellLost(JobRun run) {
		logger.warn("Run {} of the job \"{}\" was not this instance's any more when its handler ended", run.id(),
				run.job());
		this.parts.listener().lost(run);
	}

	/**
	 * How a handler has ended.
	 *
	 * @param status what becomes of the run
	 * @param delay how long until its next try
	 * @param error what went wrong
	 */
	private record Ending(RunStatus status, Duration delay, @Nullable String error) {
	}

}

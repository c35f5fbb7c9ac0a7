package io.whizbang.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.whizbang.worker.Announcement;
import io.whizbang.worker.CallLeases;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.PauseSwitch;
import io.whizbang.worker.Runner;
import io.whizbang.worker.TransientErrors;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Fires jobs whose time has come, and runs those whose handler is here. A thread of its
 * own decides; others run the handlers.
 */
public final class JobWorker implements Hearer, Pausable {

	/** Name of jobs in announcements, health and metrics. */
	public static final String LABEL = "jobs";

	private static final Logger logger = LoggerFactory.getLogger(JobWorker.class);

	private static final String NAME = "Whizbang's jobs";

	private final JobParts parts;

	private final BooleanSupplier listening;

	private final @Nullable WorkNotifier notifier;

	private final Waker waker = new Waker();

	private final CallLeases<HeldRun> leases;

	private final RunExecutor executor;

	private final JobRounds rounds;

	private final JobChores chores;

	private final PauseSwitch power = new PauseSwitch(this::begin, this::end);

	private volatile @Nullable Runner runner;

	/**
	 * Creates a worker.
	 * @param parts what jobs are made of
	 * @param executor runs the handlers; must have room for as many tasks as the
	 * settings' concurrency
	 * @param listening whether announcements of other instances arrive
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public JobWorker(JobParts parts, Executor executor, BooleanSupplier listening, @Nullable WorkNotifier notifier) {
		this.parts = parts;
		this.listening = listening;
		this.notifier = notifier;
		this.leases = new CallLeases<>("whizbang-job", parts.settings().lease(), this::renew,
				(run) -> logger.warn("Run {} of the job \"{}\" is interrupted: its lease could not be renewed in time",
						run.run().id(), run.run().job()));
		this.executor = new RunExecutor(parts, this.leases, executor, this.waker::wake);
		this.rounds = new JobRounds(parts, this.leases, this.executor);
		this.chores = new JobChores(parts);
	}

	/** A job has changed, or a run was added, and that is committed. */
	void changed() {
		this.waker.wake();
		announce();
	}

	private void announce() {
		if (this.notifier != null) {
			this.notifier.announce(new Announcement(LABEL, -1, null));
		}
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.queue().equals(LABEL)) {
			this.waker.wake();
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.waker.wake();
	}

	/**
	 * Returns how often in a row rounds have failed.
	 * @return the number, 0 when all is well
	 */
	public int consecutiveFailures() {
		Runner running = this.runner;
		return (running != null) ? Math.max(running.failures(), this.leases.failures()) : 0;
	}

	/**
	 * Returns how many runs are under way here.
	 * @return the number
	 */
	public int running() {
		return this.leases.count();
	}

	/**
	 * Says whether it works.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.runner != null;
	}

	/** Defines the jobs of this application, and begins to work. */
	public void start() {
		this.power.start();
	}

	private void begin() {
		if (this.runner != null) {
			return;
		}
		this.executor.restart();
		this.chores.restart();
		try {
			define();
		}
		catch (RuntimeException ex) {
			if (!TransientErrors.isTransient(ex)) {
				throw ex;
			}
			logger.warn("The jobs of this application could not be defined yet; the worker tries again", ex);
		}
		if (!this.parts.handlers().names().isEmpty()) {
			this.leases.start();
		}
		this.runner = Runner.start("whizbang-jobs", new WorkLoop(NAME, this::step, this.waker));
		logger.info("{} started with {} and {}", NAME, this.parts.handlers().names(), this.parts.settings());
	}

	/**
	 * Lets handlers end that are under way, and gives back the runs of those that do not.
	 */
	public void stop() {
		this.power.stop();
	}

	/** Fires and runs nothing; times that pass meanwhile are missed ones. */
	@Override
	public void pause() {
		this.power.pause();
	}

	@Override
	public void resume() {
		this.power.resume();
	}

	@Override
	public String label() {
		return LABEL;
	}

	@Override
	public String state() {
		return this.power.state(isRunning());
	}

	private void end() {
		Runner running = this.runner;
		if (running == null) {
			return;
		}
		running.stop();
		running.join(Duration.ofSeconds(5));
		long start = System.nanoTime();
		Duration left = this.parts.settings().drainTimeout();
		while (this.leases.count() > 0 && !left.isNegative() && !left.isZero()) {
			this.waker.await(left);
			left = this.parts.settings().drainTimeout().minusNanos(System.nanoTime() - start);
		}
		this.executor.release();
		this.leases.stop();
		this.runner = null;
		logger.info("{} stopped", NAME);
	}

	private Duration step() {
		try {
			define();
			this.chores.run();
			return this.chores.pause(this.rounds.pause(round(), this.listening.getAsBoolean()));
		}
		catch (RuntimeException ex) {
			this.parts.listener().roundFailed(ex);
			throw ex;
		}
	}

	private void define() {
		if (this.chores.define()) {
			announce();
		}
	}

	private void renew(List<HeldRun> runs, long deadline) {
		Map<Long, Boolean> kept = this.parts.store()
			.renew(runs.stream().map(HeldRun::run).toList(), this.parts.settings().lease());
		for (HeldRun run : runs) {
			Boolean renewed = kept.get(run.run().id());
			if (renewed == null && this.leases.has(run)) {
				run.gone();
			}
			else if (Boolean.TRUE.equals(renewed)) {
				run.renewed(deadline);
			}
		}
	}

	private JobRounds.Round round() {
		JobRounds.Round round = this.rounds.round();
		if (round.news()) {
			announce();
		}
		return round;
	}

	/**
	 * Fires and runs all that is due, on the thread of the caller, instead of starting;
	 * for tests. Needs an executor that runs tasks at once. Runs that wait for their next
	 * try go on waiting.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		define();
		this.rounds.tryAllAgain();
		boolean any = false;
		while (round().done() > 0) {
			any = true;
		}
		return any;
	}

}

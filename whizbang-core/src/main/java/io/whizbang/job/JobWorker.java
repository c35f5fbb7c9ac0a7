package io.whizbang.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

import io.whizbang.message.TimeOrderedUuid;
import io.whizbang.work.Outcome;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Backoff;
import io.whizbang.worker.Hearer;
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
public final class JobWorker implements Hearer {

	/** Name of jobs in announcements, health and metrics. */
	public static final String LABEL = "jobs";

	private static final Logger logger = LoggerFactory.getLogger(JobWorker.class);

	private static final String NAME = "Whizbang's jobs";

	/** Somebody else is at it, and will be done in a moment. */
	private static final Duration MOMENT = Duration.ofMillis(20);

	private static final int IDLE_POLLS = 6;

	private static final Duration CHORES = Duration.ofMinutes(1);

	private static final int RECOVERED = 100;

	private static final int PURGED = 500;

	private final JobParts parts;

	private final JdbcJobStore store;

	private final Executor executor;

	private final BooleanSupplier listening;

	private final @Nullable WorkNotifier notifier;

	private final UUID holder = TimeOrderedUuid.next();

	private final Waker waker = new Waker();

	private final JobFirer firer;

	private final JobDefinitions definitions;

	private final RunLeases leases;

	private volatile @Nullable Runner runner;

	private volatile boolean leaving;

	private volatile boolean defined;

	private long choresAt = System.nanoTime();

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
		this.store = parts.store();
		this.executor = executor;
		this.listening = listening;
		this.notifier = notifier;
		this.firer = new JobFirer(parts);
		this.definitions = new JobDefinitions(parts);
		this.leases = new RunLeases(this.store, parts.settings().lease());
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
		if (this.runner != null) {
			return;
		}
		this.leaving = false;
		this.defined = false;
		try {
			define();
		}
		catch (RuntimeException ex) {
			if (!TransientErrors.isTransient(ex)) {
				throw ex;
			}
			logger.warn("The jobs of this application could not be defined yet; the worker tries again", ex);
		}
		this.choresAt = System.nanoTime();
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
		this.leaving = true;
		release(this.leases.all());
		this.leases.stop();
		this.runner = null;
		logger.info("{} stopped", NAME);
	}

	private void release(Collection<HeldRun> runs) {
		if (runs.isEmpty()) {
			return;
		}
		logger.warn("{} runs of jobs did not end in time; they are interrupted, and go again elsewhere", runs.size());
		try {
			this.store.release(runs.stream().map(HeldRun::run).toList());
		}
		catch (RuntimeException ex) {
			logger.warn("The database does not answer; the runs go again when their leases end", ex);
		}
		runs.forEach(HeldRun::gone);
	}

	private Duration step() {
		try {
			define();
			chores();
			return round().pause();
		}
		catch (RuntimeException ex) {
			this.parts.listener().roundFailed(ex);
			throw ex;
		}
	}

	private void define() {
		if (this.defined) {
			return;
		}
		boolean news = false;
		for (JobDefinition definition : this.parts.handlers().definitions()) {
			JobChange change = this.definitions.write(definition);
			if (change != JobChange.UNCHANGED) {
				logger.info("The job \"{}\" was {}", definition.name(),
						(change == JobChange.CREATED) ? "created" : "changed");
				news = true;
			}
		}
		this.store.see(this.parts.handlers().names());
		this.defined = true;
		if (news) {
			announce();
		}
	}

	private void chores() {
		long now = System.nanoTime();
		if (now - this.choresAt < CHORES.toNanos()) {
			return;
		}
		this.choresAt = now;
		this.store.see(this.parts.handlers().names());
		purge();
	}

	/**
	 * Removes runs that need not be kept any more.
	 * @return how many
	 */
	int purge() {
		int purged = 0;
		int last;
		do {
			last = this.store.purge(this.parts.settings().keepRuns(), this.parts.settings().maxRuns(), PURGED);
			purged += last;
		}
		while (last == PURGED);
		return purged;
	}

	private Round round() {
		for (RecoveredRun run : this.store.recover(RECOVERED)) {
			logger.warn("Run {} of the job \"{}\" was lost with {}; {}", run.id(), run.job(), run.instance(),
					run.failed() ? "it has failed after %d attempts".formatted(run.attempts()) : "it goes again");
		}
		JobFirer.Fired fired = this.firer.fire();
		int room = this.parts.settings().concurrency() - this.leases.count();
		List<String> handlers = this.parts.handlers().names();
		int claimed = (room > 0 && !handlers.isEmpty()) ? claim(handlers, room) : 0;
		if (fired.elsewhere() || fired.runs() > claimed) {
			announce();
		}
		return new Round(fired.runs() + claimed, pause(room > 0, fired.failing()));
	}

	private int claim(List<String> handlers, int room) {
		long start = System.nanoTime();
		List<ClaimedRun> claimed = this.store.claim(this.holder, this.parts.instance(), handlers, room,
				this.parts.settings().lease());
		List<HeldRun> held = new ArrayList<>();
		claimed.forEach((run) -> held.add(this.leases.add(run, start)));
		held.forEach(this::begin);
		return claimed.size();
	}

	private Duration pause(boolean hadRoom, boolean failing) {
		boolean room = this.leases.count() < this.parts.settings().concurrency();
		if (room && !hadRoom) {
			return Duration.ZERO;
		}
		Duration poll = this.listening.getAsBoolean() ? this.parts.settings().listeningPoll()
				: this.parts.settings().maxPoll();
		List<String> handlers = this.parts.handlers().names();
		Duration next = this.store.untilNext(room ? handlers : List.of());
		if (next == null && handlers.isEmpty()) {
			// Nobody uses jobs, as far as is known; whoever begins to says so.
			return poll.multipliedBy(IDLE_POLLS);
		}
		Duration pause = (next != null && next.compareTo(poll) < 0) ? next : poll;
		Duration least = failing ? MOMENT.multipliedBy(20) : pause.isZero() ? MOMENT : Duration.ZERO;
		return (pause.compareTo(least) < 0) ? least : pause;
	}

	private void begin(HeldRun run) {
		try {
			this.executor.execute(() -> work(run));
		}
		catch (RejectedExecutionException ex) {
			this.leases.remove(run);
			this.store.release(List.of(run.run()));
			throw ex;
		}
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
			this.waker.wake();
		}
	}

	private @Nullable Throwable call(HeldRun run) {
		try {
			this.parts.handlers().run(run.claimed(), this.parts.codec());
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
		JobRun info = run.run();
		if (run.isGone()) {
			tellLost(info);
			return;
		}
		RunStatus status = RunStatus.SUCCEEDED;
		Duration delay = Duration.ZERO;
		String error = null;
		if (failure != null) {
			Outcome outcome = run.claimed().retry().afterFailure(info.attempt() - 1, failure);
			if (outcome instanceof Outcome.Retry retry) {
				status = RunStatus.RETRYING;
				delay = retry.delay();
				error = retry.error();
				logger.warn("Run {} of the job \"{}\" failed at attempt {}; next try in {} ms: {}", info.id(),
						info.job(), info.attempt(), delay.toMillis(), failure.toString());
			}
			else if (outcome instanceof Outcome.Dead dead) {
				status = RunStatus.FAILED;
				error = dead.error();
				logger.error("Run {} of the job \"{}\" has failed for good ({})", info.id(), info.job(), dead.reason(),
						failure);
			}
		}
		if (report(run, status, delay, error)) {
			this.parts.listener().ended(info, status, took, failure);
		}
	}

	/**
	 * What has ended must not run again only because the database is away for a while.
	 */
	private boolean report(HeldRun run, RunStatus status, Duration delay, @Nullable String error) {
		Backoff backoff = new Backoff();
		while (true) {
			try {
				boolean accepted = !run.isGone() && this.store.end(run.run(), status, delay, error);
				if (!accepted) {
					tellLost(run.run());
				}
				return accepted;
			}
			catch (RuntimeException ex) {
				Duration pause = backoff.failed();
				if (this.leaving || !TransientErrors.isTransient(ex)) {
					logger.error("The end of run {} of the job \"{}\" could not be reported; it goes again",
							run.run().id(), run.run().job(), ex);
					return false;
				}
				if (backoff.failures() == 1) {
					logger.warn("The end of run {} of the job \"{}\" could not be reported yet", run.run().id(),
							run.run().job(), ex);
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
	 * Fires and runs all that is due, on the thread of the caller, instead of starting;
	 * for tests. Needs an executor that runs tasks at once. Runs that wait for their next
	 * try go on waiting.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		define();
		boolean any = false;
		while (round().done() > 0) {
			any = true;
		}
		return any;
	}

	/**
	 * A look at what there is to do.
	 *
	 * @param done how much was done
	 * @param pause how long there is nothing more to do
	 */
	private record Round(int done, Duration pause) {
	}

}

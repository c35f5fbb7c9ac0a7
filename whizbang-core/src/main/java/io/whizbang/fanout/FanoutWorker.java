package io.whizbang.fanout;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.whizbang.worker.Announcement;
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
 * Asks the planners of this application when their time has come and no other instance
 * does. A thread of its own decides; others ask.
 */
public final class FanoutWorker implements Hearer, Pausable {

	/** Name of fan-outs in announcements, health and metrics. */
	public static final String LABEL = "fanout";

	private static final Logger logger = LoggerFactory.getLogger(FanoutWorker.class);

	private static final String NAME = "Whizbang's fan-outs";

	/** Somebody else is at it, and will be done in a moment. */
	private static final Duration MOMENT = Duration.ofMillis(20);

	private static final Duration STOP = Duration.ofSeconds(5);

	private final FanoutParts parts;

	private final BooleanSupplier listening;

	private final @Nullable WorkNotifier notifier;

	private final Waker waker = new Waker();

	private final FanoutDefinitions definitions;

	private final FanoutChores chores;

	private final FanoutRounds rounds;

	private final PauseSwitch power = new PauseSwitch(this::begin, this::end);

	private volatile @Nullable Runner runner;

	private volatile boolean stopping;

	/**
	 * Creates a worker.
	 * @param parts what fan-outs are made of
	 * @param executor asks the planners; must have room for as many tasks as the
	 * settings' concurrency
	 * @param listening whether announcements of other instances arrive
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public FanoutWorker(FanoutParts parts, Executor executor, BooleanSupplier listening,
			@Nullable WorkNotifier notifier) {
		this.parts = parts;
		this.listening = listening;
		this.notifier = notifier;
		this.definitions = new FanoutDefinitions(parts);
		this.chores = new FanoutChores(parts);
		this.rounds = new FanoutRounds(parts, executor, new FanoutRun(parts, () -> this.stopping), this.waker::wake);
	}

	/** A fan-out has changed, and that is committed. */
	void changed() {
		this.waker.wake();
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
		Runner current = this.runner;
		return (current != null) ? current.failures() : 0;
	}

	/**
	 * Returns the topics whose planners are being asked here.
	 * @return the topics
	 */
	public Set<String> running() {
		return this.rounds.running();
	}

	/**
	 * Says whether there is anybody to ask here.
	 * @return whether there is
	 */
	public boolean hasPlanners() {
		return !this.parts.planners().topics().isEmpty();
	}

	/**
	 * Says whether it works.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.runner != null;
	}

	/**
	 * Defines the fan-outs of this application, and begins to work. Without any, there is
	 * nothing to do.
	 */
	public void start() {
		this.power.start();
	}

	private void begin() {
		if (this.runner != null || !hasPlanners()) {
			return;
		}
		this.stopping = false;
		try {
			this.definitions.write();
		}
		catch (RuntimeException ex) {
			if (!TransientErrors.isTransient(ex)) {
				throw ex;
			}
			logger.warn("The fan-outs of this application could not be defined yet; the worker tries again", ex);
		}
		this.runner = Runner.start("whizbang-fanout", new WorkLoop(NAME, this::step, this.waker));
		logger.info("{} started with {} and {}", NAME, this.parts.planners().topics(), this.parts.settings());
	}

	/** Ends what is under way after its page; another instance goes on. */
	public void stop() {
		this.power.stop();
	}

	/** Asks no planner; another instance does, unless it is paused too. */
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
		Runner current = this.runner;
		if (current == null) {
			return;
		}
		this.stopping = true;
		current.stop();
		current.join(STOP);
		long start = System.nanoTime();
		Duration left = STOP;
		while (!this.rounds.running().isEmpty() && !left.isNegative() && !left.isZero()) {
			this.waker.await(left);
			left = STOP.minusNanos(System.nanoTime() - start);
		}
		this.runner = null;
		logger.info("{} stopped", NAME);
	}

	private Duration step() {
		try {
			this.definitions.write();
			this.chores.run();
			return this.definitions.pause(pause(this.rounds.round()));
		}
		catch (RuntimeException ex) {
			this.parts.listener().roundFailed(ex);
			throw ex;
		}
	}

	private Duration pause(FanoutRounds.Round round) {
		boolean hears = this.listening.getAsBoolean() && round.elsewhere().isEmpty();
		Duration poll = hears ? this.parts.settings().listeningPoll() : this.parts.settings().maxPoll();
		Duration next = round.full() ? poll : this.rounds.untilNext(round.elsewhere()).orElse(poll);
		Duration pause = (next.compareTo(poll) < 0) ? next : poll;
		return (pause.compareTo(MOMENT) < 0) ? MOMENT : pause;
	}

	/**
	 * Asks all planners whose time has come, on the thread of the caller, instead of
	 * starting; for tests. Needs an executor that runs tasks at once.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		if (!hasPlanners()) {
			return false;
		}
		this.definitions.write();
		this.rounds.tryAllAgain();
		boolean any = false;
		while (this.rounds.round().begun() > 0) {
			any = true;
		}
		return any;
	}

}

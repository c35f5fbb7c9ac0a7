package io.whizbang.perspective;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.work.Queue;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.PauseSwitch;
import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Works on all perspectives of this instance: takes its share of their shards, and lets
 * lanes apply what is new. A thread of its own decides; others run the lanes.
 */
public final class PerspectiveWorker implements Hearer, Pausable {

	private static final Logger logger = LoggerFactory.getLogger(PerspectiveWorker.class);

	private static final String NAME = "Whizbang's perspectives";

	private final PerspectiveParts parts;

	private final WorkCoordinator coordinator;

	private final CoordinatorSettings rules;

	private final InstanceInfo info;

	private final Executor executor;

	private final Readiness readiness;

	private final Schedule schedule;

	private final Waiters waiters = new Waiters();

	private final Rates rates = new Rates(System::nanoTime);

	private final Waker waker = new Waker();

	private volatile Runnable membersChanged = () -> {
	};

	private volatile @Nullable Integer session;

	private volatile @Nullable Rounds rounds;

	private final PauseSwitch power = new PauseSwitch(this::begin, this::end);

	private volatile @Nullable Runner runner;

	/**
	 * Creates a worker.
	 * @param parts what perspectives are made of
	 * @param coordinator where instances are registered
	 * @param rules who counts as dead
	 * @param info who this instance is
	 * @param executor runs the lanes; must have room for as many tasks as the settings'
	 * concurrency
	 * @param listening whether announcements of other instances arrive
	 */
	public PerspectiveWorker(PerspectiveParts parts, WorkCoordinator coordinator, CoordinatorSettings rules,
			InstanceInfo info, Executor executor, BooleanSupplier listening) {
		this.parts = parts;
		this.coordinator = coordinator;
		this.rules = rules;
		this.info = info;
		this.executor = executor;
		this.readiness = new Readiness(parts.readiness(), parts.listener());
		this.schedule = new Schedule(parts.settings(), rules.heartbeat(), listening);
	}

	/** Only when the worker starts all perspectives are known. */
	private Rounds rounds() {
		Rounds known = this.rounds;
		if (known == null) {
			JdbcCalls calls = new JdbcCalls(this.parts.dataSource(), this.parts.schema());
			JdbcFeed feed = new JdbcFeed(calls);
			List<LaneTools> tools = this.parts.handlers()
				.stream()
				.map((handler) -> LaneTools.of(this.parts,
						new Projection(handler, this.parts.codec(), this.parts.types(), feed), calls, this.waiters,
						this.executor))
				.toList();
			Roster roster = new Roster(this.coordinator, this.rules, this.info, new JdbcRuns(calls), tools,
					this.parts.settings(), () -> this.membersChanged.run());
			LaneSlots slots = new LaneSlots(tools, this.parts.listener());
			known = new Rounds(this.parts, this.schedule, this.readiness, roster, slots,
					new RunChores(this.parts, slots, calls, this.rates), this.executor, this.waker);
			this.rounds = known;
			known.session(this.session);
		}
		return known;
	}

	/**
	 * Begins to work, if there are perspectives. When it returns, their runs are there,
	 * unless the database does not answer or their code fails: then they begin later.
	 */
	public void start() {
		this.power.start();
	}

	private void begin() {
		if (this.runner == null && !this.parts.handlers().isEmpty()) {
			Rounds rounds = rounds();
			rounds.open();
			this.schedule.holdNow();
			this.runner = Runner.start("whizbang-perspectives", new WorkLoop(NAME, rounds::step, this.waker),
					rounds::drain);
			logger.info("{} started with {}", NAME, this.parts.settings());
		}
	}

	/** Ends the work, after what is under way. */
	public void stop() {
		this.power.stop();
	}

	/** Leaves its shards to others. */
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
		return Queue.PERSPECTIVES.label();
	}

	@Override
	public String state() {
		return this.power.state(isRunning());
	}

	private void end() {
		Runner running = this.runner;
		if (running != null) {
			running.stop();
			running.join(this.parts.settings().drainTimeout().plusSeconds(5));
			this.runner = null;
			logger.info("{} stopped", NAME);
		}
	}

	/**
	 * Says whether it works.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.runner != null;
	}

	/**
	 * Does all that can be done now, on the thread of the caller, instead of starting;
	 * for tests. Needs an executor that runs tasks at once. Streams that wait for their
	 * next try go on waiting.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		return !this.parts.handlers().isEmpty() && rounds().runUntilIdle();
	}

	/** Leaves everything to others, after {@link #runUntilIdle()}. */
	public void leaveNow() {
		Assert.state(this.runner == null, "The worker has started; stop it");
		Rounds known = this.rounds;
		if (known != null) {
			known.leave();
		}
	}

	/** Tells that there may be new events; called from any thread. */
	public void signal() {
		this.schedule.signal();
		this.waker.wake();
	}

	/** Lets the next round ask who works on what. */
	void look() {
		this.schedule.holdNow();
		this.waker.wake();
	}

	/** Lets all instances ask: runs or streams were changed from outside. */
	void changed() {
		look();
		this.membersChanged.run();
	}

	/** Whether it has asked since it was told to. */
	boolean hasLooked() {
		return this.schedule.hasHeld();
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.queue().equals(Queue.PERSPECTIVES.label())) {
			signal();
		}
		else if (announcement.queue().equals(PerspectiveSignal.MEMBERS)) {
			look();
		}
	}

	/** Has somebody told whenever others have a reason to ask. */
	void whenMembersChange(Runnable membersChanged) {
		this.membersChanged = membersChanged;
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.session = backendPid;
		Rounds known = this.rounds;
		if (known != null) {
			known.session(backendPid);
		}
		look();
	}

	Waiters waiters() {
		return this.waiters;
	}

	Rates rates() {
		return this.rates;
	}

	/** Whether nobody else has to be told of new events, as far as is known. */
	boolean isAlone() {
		Rounds known = this.rounds;
		return known != null && known.isAlone();
	}

	/**
	 * Returns how often in a row the database was not ready.
	 * @return the number, 0 when it is
	 */
	public int consecutiveMisses() {
		return this.readiness.misses();
	}

	/**
	 * Returns how often in a row rounds have failed.
	 * @return the number, 0 when all is well
	 */
	public int consecutiveFailures() {
		Runner running = this.runner;
		Rounds known = this.rounds;
		return (running != null && known != null) ? Math.max(running.failures(), known.failures()) : 0;
	}

	/**
	 * Returns how many shards this instance holds.
	 * @return the number, as of the last round
	 */
	public int shards() {
		return this.schedule.shards();
	}

}

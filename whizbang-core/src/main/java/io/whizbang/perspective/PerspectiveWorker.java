package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.work.Queue;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Hearer;
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
public final class PerspectiveWorker implements Hearer {

	private static final Logger logger = LoggerFactory.getLogger(PerspectiveWorker.class);

	private static final String NAME = "Whizbang's perspectives";

	private static final int IDLE_POLLS = 2;

	private final PerspectiveParts parts;

	private final Executor executor;

	private final BooleanSupplier listening;

	private final WorkCoordinator coordinator;

	private final CoordinatorSettings rules;

	private final InstanceInfo info;

	private final Readiness readiness;

	private final Schedule schedule;

	private final Waiters waiters = new Waiters();

	private final Rates rates = new Rates(System::nanoTime);

	private final Waker waker = new Waker();

	private final AtomicBoolean signalled = new AtomicBoolean();

	private final AtomicInteger active = new AtomicInteger();

	private final AtomicBoolean working = new AtomicBoolean();

	private final AtomicBoolean ran = new AtomicBoolean();

	private volatile @Nullable Integer session;

	private volatile @Nullable Crew crew;

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
		this.executor = executor;
		this.listening = listening;
		this.coordinator = coordinator;
		this.rules = rules;
		this.info = info;
		this.readiness = new Readiness(parts.readiness(), parts.listener());
		this.schedule = new Schedule(parts.settings(), rules.heartbeat());
	}

	/** Only when the worker starts all perspectives are known. */
	private Crew crew() {
		Crew known = this.crew;
		if (known == null) {
			JdbcCalls calls = new JdbcCalls(this.parts.dataSource(), this.parts.schema());
			JdbcFeed feed = new JdbcFeed(calls);
			List<LaneTools> tools = this.parts.handlers()
				.stream()
				.map((handler) -> LaneTools.of(this.parts,
						new Projection(handler, this.parts.codec(), this.parts.types(), feed), calls, this.waiters))
				.toList();
			Roster roster = new Roster(this.coordinator, this.rules, this.info, new JdbcRuns(calls), tools,
					this.parts.settings());
			LaneSlots slots = new LaneSlots(tools, this.parts.listener());
			known = new Crew(roster, slots, new RunChores(this.parts, slots, calls, this.rates));
			this.crew = known;
			roster.session(this.session);
		}
		return known;
	}

	Waiters waiters() {
		return this.waiters;
	}

	Rates rates() {
		return this.rates;
	}

	/** Tells that there may be new events; called from any thread. */
	public void signal() {
		this.signalled.set(true);
		this.waker.wake();
	}

	/** Lets the next round ask who works on what. */
	void look() {
		this.schedule.holdNow();
		this.waker.wake();
	}

	/** Whether it has asked since it was told to. */
	boolean hasLooked() {
		return this.schedule.hasHeld();
	}

	/** Whether nobody else has to be told of new events, as far as is known. */
	boolean isAlone() {
		Crew known = this.crew;
		return known != null && known.roster().isAlone();
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.queue().equals(Queue.PERSPECTIVES.label())) {
			signal();
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.session = backendPid;
		Crew known = this.crew;
		if (known != null) {
			known.roster().session(backendPid);
		}
		look();
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
		Crew known = this.crew;
		if (running == null || known == null) {
			return 0;
		}
		return Math.max(running.failures(), known.slots().all().stream().mapToInt(LaneSlot::failures).max().orElse(0));
	}

	/**
	 * Returns how many shards this instance holds.
	 * @return the number, as of the last round
	 */
	public int shards() {
		return this.schedule.shards();
	}

	private Duration step() {
		long now = System.nanoTime();
		boolean reload = crew().slots().all().stream().map(LaneSlot::takeReload).reduce(false, Boolean::logicalOr);
		if (this.signalled.getAndSet(false)) {
			crew().slots().want();
		}
		if (reload || this.schedule.isHoldDue(now, this.active.get() > 0)) {
			if (!this.readiness.isReady()) {
				this.schedule.holdNow();
				return this.parts.settings().maxPoll();
			}
			if (!hold()) {
				return Duration.ZERO;
			}
		}
		startLanes();
		if (crew().chores().run(now)) {
			this.schedule.holdNow();
		}
		return untilNext();
	}

	private boolean hold() {
		List<HeldRow> rows = crew().roster().hold(crew().slots().busy());
		if (rows == null) {
			crew().slots().clear();
			this.schedule.holdNow();
			return false;
		}
		long now = System.nanoTime();
		crew().slots().offer(rows, now);
		boolean empty = this.active.get() == 0 && crew().slots().all().stream().noneMatch((slot) -> slot.isReady(now));
		int polls = this.schedule.held(now, rows.size(), empty);
		if (polls == IDLE_POLLS) {
			this.working.set(false);
			Listeners.tell(this.parts.listener()::idle);
		}
		return true;
	}

	private void startLanes() {
		UUID instance = crew().roster().instance();
		long now = System.nanoTime();
		for (LaneSlot slot : crew().slots().all()) {
			if (instance != null && this.active.get() < this.parts.settings().concurrency() && slot.isReady(now)) {
				start(slot, instance);
			}
		}
	}

	private void start(LaneSlot slot, UUID instance) {
		this.active.incrementAndGet();
		slot.begin();
		try {
			this.executor.execute(() -> {
				try {
					if (slot.run(instance)) {
						worked();
					}
				}
				finally {
					this.active.decrementAndGet();
					this.waker.wake();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			slot.rejected();
			this.active.decrementAndGet();
			throw ex;
		}
	}

	private void worked() {
		this.ran.set(true);
		this.schedule.worked();
		if (this.working.compareAndSet(false, true)) {
			Listeners.tell(this.parts.listener()::started);
		}
	}

	private Duration untilNext() {
		long now = System.nanoTime();
		long wait = this.schedule.untilHold(now, this.active.get() > 0, this.listening.getAsBoolean());
		if (this.active.get() < this.parts.settings().concurrency()) {
			for (LaneSlot slot : crew().slots().all()) {
				wait = Math.min(wait, slot.untilReady(now));
			}
		}
		wait = Math.min(wait, crew().chores().untilNext(now));
		return Duration.ofNanos(Math.max(0, wait));
	}

	/** Begins to work, if there are perspectives. */
	public void start() {
		if (this.runner == null && !this.parts.handlers().isEmpty()) {
			this.schedule.holdNow();
			this.runner = Runner.start("whizbang-perspectives", new WorkLoop(NAME, this::step, this.waker),
					this::leave);
			logger.info("{} started with {}", NAME, this.parts.settings());
		}
	}

	/** Lets pages end that are under way, and leaves everything to others. */
	private void leave() {
		crew().slots().stop();
		long end = System.nanoTime() + this.parts.settings().drainTimeout().toNanos();
		while (this.active.get() > 0 && System.nanoTime() - end < 0) {
			this.waker.await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
		}
		try {
			crew().roster().leave();
		}
		catch (RuntimeException ex) {
			logger.warn("The database does not answer; the shards of this instance are free when its leases end", ex);
		}
		crew().slots().clear();
	}

	/** Ends the work, after what is under way. */
	public void stop() {
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
		if (this.parts.handlers().isEmpty()) {
			return false;
		}
		boolean applied = false;
		do {
			for (int idle = 0; idle < IDLE_POLLS;) {
				this.ran.set(false);
				this.schedule.holdNow();
				step();
				Assert.state(this.readiness.misses() == 0, "The database is not ready");
				idle = this.ran.get() ? 0 : idle + 1;
				applied |= this.ran.get();
			}
		}
		while (crew().chores().switchNow());
		return applied;
	}

	/** Leaves everything to others, after {@link #runUntilIdle()}. */
	public void leaveNow() {
		Assert.state(this.runner == null, "The worker has started; stop it");
		Crew known = this.crew;
		if (known != null) {
			known.roster().leave();
			known.slots().clear();
		}
	}

	/**
	 * Who does the work.
	 *
	 * @param roster which shards are this instance's
	 * @param slots works on them
	 * @param chores does the rest
	 */
	private record Crew(Roster roster, LaneSlots slots, RunChores chores) {

	}

}

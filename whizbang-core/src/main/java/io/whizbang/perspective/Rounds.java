package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.worker.Waker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * What the worker does in a round: takes its share when that is due, starts the lanes
 * that have something to do, and tells how long to wait. One thread at a time runs it.
 */
final class Rounds {

	private static final Logger logger = LoggerFactory.getLogger(Rounds.class);

	private static final int IDLE_POLLS = 2;

	/** Events may come much more often than anyone should ask. */
	private static final Duration KNOWN = Duration.ofSeconds(1);

	/** Nobody announces that the database is back. */
	private static final Duration AWAY = Duration.ofSeconds(1);

	private final PerspectiveParts parts;

	private final Schedule schedule;

	private final Readiness readiness;

	private final Roster roster;

	private final LaneSlots slots;

	private final RunChores chores;

	private final LaneRunner lanes;

	private final AtomicReference<Told> told = new AtomicReference<>(Told.NOTHING);

	private final AtomicBoolean ran = new AtomicBoolean();

	Rounds(PerspectiveParts parts, Schedule schedule, Readiness readiness, Roster roster, LaneSlots slots,
			RunChores chores, Executor executor, Waker waker) {
		this.parts = parts;
		this.schedule = schedule;
		this.readiness = readiness;
		this.roster = roster;
		this.slots = slots;
		this.chores = chores;
		this.lanes = new LaneRunner(executor, parts.settings().concurrency(), waker, this::worked);
	}

	boolean isAlone() {
		return this.roster.isAlone();
	}

	void session(@Nullable Integer backendPid) {
		this.roster.session(backendPid);
	}

	/** How often in a row the lane with the most failures has failed. */
	int failures() {
		return this.slots.all().stream().mapToInt(LaneSlot::failures).max().orElse(0);
	}

	/**
	 * Begins the runs that the code needs, for those who ask for them as soon as the
	 * application has started. What cannot begin yet does so in a later round.
	 */
	void open() {
		try {
			if (this.readiness.isReady()) {
				this.roster.open();
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Perspectives cannot begin yet; they do when the database answers", ex);
		}
	}

	/**
	 * Does a round.
	 * @return how long to wait before the next one, unless woken
	 */
	Duration step() {
		long now = System.nanoTime();
		boolean reload = this.slots.all().stream().map(LaneSlot::takeReload).reduce(false, Boolean::logicalOr);
		if (this.schedule.takeSignal()) {
			this.slots.want();
		}
		if (reload) {
			// Not forgotten before it has succeeded.
			this.schedule.holdNow();
		}
		if (this.schedule.isHoldDue(now, this.lanes.isBusy())) {
			if (!this.readiness.isReady()) {
				return away();
			}
			if (!hold()) {
				return Duration.ZERO;
			}
		}
		UUID instance = this.roster.instance();
		if (instance != null && hasWork()) {
			if (!this.readiness.wasReadyWithin(KNOWN) && !this.readiness.isReady()) {
				return away();
			}
			this.lanes.start(this.slots.all(), instance);
		}
		if (this.chores.run(now)) {
			this.schedule.holdNow();
			this.roster.announce();
		}
		return untilNext();
	}

	private boolean hold() {
		this.schedule.holding();
		// Asked before, so that another look follows the one that finds somebody dead: a
		// third may be about to remove it, and then there is nothing to take yet.
		Duration untilDeath = this.schedule.isPatient() ? this.roster.untilDeath() : null;
		List<HeldRow> rows = this.roster.hold(this.slots.busy());
		if (rows == null) {
			this.slots.clear();
			this.schedule.holdNow();
			return false;
		}
		long now = System.nanoTime();
		this.slots.offer(rows, now);
		boolean empty = !this.lanes.isBusy() && this.slots.all().stream().noneMatch((slot) -> slot.isReady(now));
		this.schedule.suspect(untilDeath);
		// What was rolled back moves the shards too, which is no work.
		if (this.schedule.held(now, rows.size(), empty) == IDLE_POLLS && this.told.getAndSet(Told.IDLE) != Told.IDLE) {
			Listeners.tell(this.parts.listener()::idle);
		}
		return true;
	}

	private boolean hasWork() {
		long now = System.nanoTime();
		return this.slots.all().stream().anyMatch((slot) -> slot.isReady(now));
	}

	/** What there is to do is kept until the database is back. */
	private Duration away() {
		this.schedule.holdNow();
		return shorter(this.parts.settings().maxPoll(), AWAY);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** Called by the threads of the lanes. */
	private void worked() {
		this.ran.set(true);
		this.schedule.worked();
		this.chores.moved();
		if (this.told.getAndSet(Told.STARTED) != Told.STARTED) {
			Listeners.tell(this.parts.listener()::started);
		}
	}

	private Duration untilNext() {
		long now = System.nanoTime();
		long wait = Math.min(this.schedule.untilHold(now, this.lanes.isBusy()), this.chores.untilNext(now));
		if (this.lanes.hasRoom()) {
			for (LaneSlot slot : this.slots.all()) {
				wait = Math.min(wait, slot.untilReady(now));
			}
		}
		return Duration.ofNanos(Math.max(0, wait));
	}

	/**
	 * Does rounds without waiting until there is nothing to do, with an executor that
	 * runs tasks at once.
	 * @return whether there was anything to do
	 */
	boolean runUntilIdle() {
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
		while (this.chores.switchNow());
		return applied;
	}

	/** Lets pages end that are under way, and leaves everything to others. */
	void drain() {
		this.slots.stop();
		this.lanes.awaitEnd(this.parts.settings().drainTimeout());
		try {
			leave();
		}
		catch (RuntimeException ex) {
			logger.warn("The database does not answer; the shards of this instance are free when its leases end", ex);
		}
	}

	/** Leaves everything to others. */
	void leave() {
		this.schedule.left();
		this.slots.clear();
		this.roster.leave();
	}

	/** What the listener has heard last of whether there is work. */
	private enum Told {

		NOTHING, STARTED, IDLE

	}

}

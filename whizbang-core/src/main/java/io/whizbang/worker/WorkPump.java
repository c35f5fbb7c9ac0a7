package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Claim;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The step of a worker: report what has ended, claim as much as there is room for, fill
 * the lanes. There is one for each queue and instance, and one thread at a time runs it.
 */
public final class WorkPump implements Hearer {

	private static final Logger logger = LoggerFactory.getLogger(WorkPump.class);

	private static final int MANY_ROUNDS = 100_000;

	private final Queue queue;

	private final WorkHandler handler;

	private final RoundNews news;

	private final Membership membership;

	private final WorkerSettings settings;

	private final RoundSchedule schedule;

	private final Lanes lanes;

	private final Drainers drainers;

	private final BooleanSupplier listening;

	private final Neighbours neighbours;

	private final ClaimReader reader;

	private final LongSupplier nanoTime;

	private final Waker waker = new Waker();

	private @Nullable String memory;

	private volatile Share share = Share.UNKNOWN;

	private volatile long lastRoundAt;

	/**
	 * Creates a pump.
	 * @param what what to do with the messages
	 * @param membership the worker's place among those that share the queue
	 * @param settings how to go about it
	 * @param executor runs the handler; must have room for one task more than the
	 * settings' concurrency
	 * @param listening whether announcements of other instances arrive
	 */
	public WorkPump(QueueWork what, Membership membership, WorkerSettings settings, Executor executor,
			BooleanSupplier listening) {
		this(what, membership, settings, executor, listening, (announcement) -> {
		});
	}

	/**
	 * Creates a pump that tells other instances when the members of the queue have
	 * changed, and of delayed messages of their share that it has found to be due.
	 * @param what what to do with the messages
	 * @param membership the worker's place among those that share the queue
	 * @param settings how to go about it
	 * @param executor runs the handler; must have room for one task more than the
	 * settings' concurrency
	 * @param listening whether announcements of other instances arrive
	 * @param announcer tells the other instances; must not block
	 */
	public WorkPump(QueueWork what, Membership membership, WorkerSettings settings, Executor executor,
			BooleanSupplier listening, Consumer<Announcement> announcer) {
		this(what, membership, settings, executor, listening, announcer, System::nanoTime);
	}

	WorkPump(QueueWork what, Membership membership, WorkerSettings settings, Executor executor,
			BooleanSupplier listening, Consumer<Announcement> announcer, LongSupplier nanoTime) {
		this.queue = what.queue();
		this.handler = what.handler();
		this.news = new RoundNews(what.queue(), what.listener(), name());
		this.membership = membership;
		this.settings = settings;
		this.listening = listening;
		this.neighbours = new Neighbours(this.queue, announcer);
		this.nanoTime = nanoTime;
		this.lastRoundAt = nanoTime.getAsLong();
		this.schedule = new RoundSchedule(settings, membership.rules().heartbeat(), listening);
		HandOver handOver = new HandOver(what, settings.handlerTimeout(), this.waker::wake);
		this.lanes = new Lanes(handOver, settings, membership.rules().lease(), nanoTime);
		this.drainers = new Drainers(this.lanes, handOver, executor, settings.concurrency(), this.waker::wake);
		this.reader = new ClaimReader(name(), this.lanes, this.drainers, executor, this.schedule::signal);
	}

	public Queue queue() {
		return this.queue;
	}

	/** Tells that there may be something to claim; called from any thread. */
	public void signal() {
		this.schedule.signal();
		this.waker.wake();
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.concerns(this.queue, this.share)) {
			signal();
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.membership.session(backendPid);
		signal();
	}

	/**
	 * Exchanges now, whether it is due or not.
	 * @return how long to wait for the next round
	 */
	public Duration runOnce() {
		exchange(true, true);
		return untilNext();
	}

	/**
	 * Reports what has ended, and claims nothing.
	 */
	public void flush() {
		exchange(true, false);
	}

	/**
	 * Exchanges until there is nothing to claim, to wait for, or to report.
	 * @return how many messages were claimed
	 */
	public int runUntilIdle() {
		return runUntilIdle(() -> this.waker.await(this.settings.partialFlush()));
	}

	int runUntilIdle(Runnable untilSomethingEnds) {
		int claimed = 0;
		for (int round = 0; round < MANY_ROUNDS; round++) {
			claimed += exchange(true, true);
			LaneState state = this.lanes.watch(this.nanoTime.getAsLong());
			if (state.inFlight() == 0 && state.unreportedFor() < 0 && this.schedule.wasEmpty()) {
				return claimed;
			}
			if (state.inFlight() > 0 && state.settledFor() < 0) {
				untilSomethingEnds.run();
			}
		}
		throw new IllegalStateException(
				"The " + this.queue.label() + " is still not idle after " + MANY_ROUNDS + " rounds");
	}

	/**
	 * Does what is due.
	 * @return how long until something else is
	 */
	Duration step() {
		try {
			long now = this.nanoTime.getAsLong();
			if (this.schedule.untilNext(now, this.lanes.watch(now)) <= 0) {
				exchange(false, true);
			}
			else {
				this.drainers.employ(this.lanes.readyCount());
			}
			return untilNext();
		}
		catch (RuntimeException ex) {
			this.news.tellFailure(ex);
			throw ex;
		}
	}

	/** Work may start. */
	void open() {
		this.lanes.open();
	}

	/** No work starts any more; called from any thread. */
	void close() {
		this.lanes.close();
		this.waker.wake();
	}

	/**
	 * Lets running work end, reports it, gives back the rest and leaves.
	 * @param timeout how long running work may take
	 */
	void drain(Duration timeout) {
		close();
		long start = this.nanoTime.getAsLong();
		Duration left = timeout;
		LaneState state = this.lanes.watch(start);
		while (state.running() > 0 && left.compareTo(Duration.ZERO) > 0) {
			this.waker.await((left.compareTo(this.settings.partialFlush()) < 0) ? left : this.settings.partialFlush());
			state = this.lanes.watch(this.nanoTime.getAsLong());
			if (state.unreportedFor() >= 0 && state.running() > 0) {
				trying("report finished work", () -> exchange(true, false));
			}
			left = timeout.minusNanos(this.nanoTime.getAsLong() - start);
		}
		if (state.running() > 0) {
			logger.warn("{} stops although {} calls of its handler still run after {}; their messages are given back",
					name(), state.running(), timeout);
			this.lanes.interruptAll();
		}
		leave();
	}

	Waker waker() {
		return this.waker;
	}

	Share share() {
		return this.share;
	}

	Membership membership() {
		return this.membership;
	}

	String name() {
		return "Whizbang's " + this.queue.label() + " worker";
	}

	/** Says whether there is anybody to do the work. */
	boolean isWanted() {
		return this.handler.isWanted();
	}

	WorkerSettings settings() {
		return this.settings;
	}

	WorkerStatus status(WorkerStatus.State state, int failures) {
		long now = this.nanoTime.getAsLong();
		LaneState lanes = this.lanes.watch(now);
		Share share = this.share;
		return new WorkerStatus(this.queue, state, Duration.ofNanos(now - this.lastRoundAt), failures, lanes.inFlight(),
				lanes.claims(), lanes.running(), share.members(), share.rank(), this.listening.getAsBoolean());
	}

	private void leave() {
		if (this.membership.instance() != null) {
			trying("report finished work", () -> exchange(true, false));
			trying("leave", this.membership::leave);
			this.neighbours.changed();
		}
		this.membership.refused();
		forget();
	}

	private int exchange(boolean everything, boolean claims) {
		long start = this.nanoTime.getAsLong();
		this.membership.join();
		int limit = claims ? this.schedule.limit(start, this.lanes.watch(start)) : 0;
		this.schedule.asking(limit);
		PendingReport pending = this.lanes.report(start, everything);
		WorkBatch batch;
		try {
			boolean steal = limit > 0 && this.schedule.steals(this.share);
			batch = this.membership.exchange(pending.report(),
					new WorkRequest(limit, this.settings.concurrency(), steal, true, this.memory));
		}
		catch (RuntimeException | Error ex) {
			this.memory = null;
			this.schedule.failed();
			this.lanes.notReported(pending);
			throw ex;
		}
		apply(pending, batch, limit, start);
		return batch.claimed().count();
	}

	private void apply(PendingReport pending, WorkBatch batch, int limit, long start) {
		if (batch.refused()) {
			logger.warn("{} was taken for dead and registers anew; what it held goes to others", name());
			this.membership.refused();
			forget();
			return;
		}
		this.memory = batch.memory();
		Share before = this.share;
		this.share = new Share(batch.members(), batch.rank(), batch.epoch());
		this.neighbours.answered(before, batch);
		this.lanes.reported(pending, batch.lost(), batch.released(), start);
		Claim claim = batch.claim();
		if (claim != null) {
			this.reader.take(this.lanes.expect(claim, batch.claimed().count(), start), batch.claimed());
		}
		long now = this.nanoTime.getAsLong();
		this.lastRoundAt = now;
		this.schedule.answered(start, now, limit, batch);
		this.drainers.employ(this.lanes.readyCount());
		this.news.tell(batch, pending.report().members(), Duration.ofNanos(now - start));
	}

	private void forget() {
		this.lanes.forgetAll();
		this.memory = null;
		this.share = Share.UNKNOWN;
		this.schedule.signal();
	}

	private Duration untilNext() {
		this.lanes.tellWhenLeft(this.schedule.inFlightWanted());
		long now = this.nanoTime.getAsLong();
		LaneState state = this.lanes.watch(now);
		return Duration.ofNanos(Math.max(0, Math.min(this.schedule.untilNext(now, state), state.nextCheck())));
	}

	private void trying(String what, Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn("{} could not {}; others take over when its leases end", name(), what, ex);
		}
	}

}

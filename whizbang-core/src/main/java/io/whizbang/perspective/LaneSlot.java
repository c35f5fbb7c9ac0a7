package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.worker.Backoff;
import io.whizbang.worker.TransientErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane and when it runs. The worker's thread decides that; another one runs it, for a
 * second at a time, so that every lane gets its turn.
 */
final class LaneSlot {

	private static final Logger logger = LoggerFactory.getLogger(LaneSlot.class);

	private static final long TURN = Duration.ofSeconds(1).toNanos();

	private final Lane lane;

	private final PerspectiveListener listener;

	private final AtomicBoolean running = new AtomicBoolean();

	private final AtomicReference<@Nullable Offer> offered = new AtomicReference<>();

	private final Backoff backoff = new Backoff();

	private volatile boolean wanted = true;

	private volatile boolean stopping;

	private final AtomicBoolean mustReload = new AtomicBoolean();

	/** Whether others wait for what it was offered; only the worker's thread knows. */
	private boolean owing;

	private volatile boolean caughtUp;

	private volatile long notBefore;

	/** As far as the lane knows, who may not have taken the last offer. */
	private volatile long dueAt;

	private volatile List<HeldShard> shards = List.of();

	LaneSlot(Lane lane, PerspectiveListener listener) {
		this.lane = lane;
		this.listener = listener;
		this.notBefore = System.nanoTime();
		this.dueAt = this.notBefore;
	}

	RunInfo run() {
		return this.lane.run();
	}

	/** There may be something to do. */
	void want() {
		this.wanted = true;
	}

	/** Tells what the database says about the lane's shards. */
	void offer(List<HeldRow> rows, long now) {
		this.offered.set(new Offer(rows, now));
		this.owing = rows.stream().anyMatch((row) -> !row.own());
		if (rows.stream().anyMatch(HeldRow::hasNews)) {
			this.wanted = true;
		}
	}

	private long dueAt() {
		Offer offer = this.offered.get();
		return (offer != null) ? offer.dueBefore(this.dueAt) : this.dueAt;
	}

	boolean isRunning() {
		return this.running.get();
	}

	boolean isCaughtUp() {
		return this.caughtUp;
	}

	/** Whether people may want to know how far it is. */
	boolean isBehind() {
		return !this.caughtUp || !run().serving();
	}

	boolean isReady(long now) {
		return !this.stopping && !isRunning() && now - this.notBefore >= 0 && (this.wanted || now - dueAt() >= 0);
	}

	/** Nanoseconds until it may have to run, though nobody says so. */
	long untilReady(long now) {
		return isRunning() ? Long.MAX_VALUE : Math.max(this.notBefore - now, this.wanted ? 0 : dueAt() - now);
	}

	/** The shards that are being worked on just now. */
	List<HeldShard> busy() {
		return isRunning() ? this.shards : List.of();
	}

	/**
	 * Whether the shards must be read again, asked once. A lane that has ended since it
	 * counted as busy may never see its last offer, and nobody else knows that what it
	 * was busy with can be given to others now, or needs another lane.
	 */
	boolean takeReload() {
		boolean reload = this.mustReload.getAndSet(false);
		if (!isRunning() && (this.owing || this.stopping)) {
			this.owing = false;
			reload = true;
		}
		return reload;
	}

	int failures() {
		return this.backoff.failures();
	}

	void stop() {
		this.stopping = true;
	}

	/** Whether it was told to stop, and has. */
	boolean isStopped() {
		return this.stopping && !isRunning();
	}

	void begin() {
		this.running.set(true);
	}

	/** It could not be started. */
	void rejected() {
		this.running.set(false);
	}

	/**
	 * Runs the lane for its turn; called after {@link #begin()}.
	 * @param instance who holds the shards
	 * @return whether anything was done
	 */
	boolean run(UUID instance) {
		boolean worked = false;
		try {
			this.wanted = false;
			long start = System.nanoTime();
			Lane.Progress progress;
			do {
				takeOffer();
				progress = this.lane.step(instance);
				this.shards = this.lane.shards();
				this.caughtUp = this.lane.isCaughtUp();
				worked |= progress == Lane.Progress.DONE;
			}
			while (progress != Lane.Progress.NOTHING && !this.stopping && System.nanoTime() - start < TURN);
			if (progress != Lane.Progress.NOTHING) {
				this.wanted = true;
			}
			this.backoff.succeeded();
		}
		catch (ShardLostException ex) {
			logger.info("{}", ex.getMessage());
			reload();
			Listeners.tell(() -> this.listener.shardLost(run().run()));
		}
		catch (StreamChangedException ex) {
			logger.info("{}", ex.getMessage());
			this.wanted = true;
		}
		catch (Throwable ex) {
			failed((ex instanceof PassingFailureException && ex.getCause() != null) ? ex.getCause() : ex);
		}
		finally {
			this.lane.rest();
			this.dueAt = this.lane.dueAt();
			this.running.set(false);
		}
		return worked;
	}

	private void takeOffer() {
		Offer offer = this.offered.getAndSet(null);
		if (offer != null) {
			this.lane.assign(offer.rows().stream().filter(HeldRow::own).toList(), offer.at());
			this.shards = this.lane.shards();
			if (offer.rows().stream().anyMatch((row) -> !row.own())) {
				// Kept only because they were being worked on: others wait for them.
				this.mustReload.set(true);
			}
		}
	}

	/** A commit whose answer was lost may have succeeded: only the database knows. */
	private void reload() {
		this.lane.forget();
		this.shards = List.of();
		this.mustReload.set(true);
		this.wanted = true;
	}

	private void failed(Throwable failure) {
		reload();
		Duration pause = this.backoff.failed();
		this.notBefore = System.nanoTime() + pause.toNanos();
		if (!TransientErrors.isTransient(failure)) {
			logger.error("{} failed; next try in {}", run().run(), pause, failure);
		}
		else if (this.backoff.failures() == 1) {
			logger.warn("{} failed and tries again by itself, first in {}; further failures in a row are not logged",
					run().run(), pause, failure);
		}
		Listeners.tell(() -> this.listener.roundFailed(failure));
	}

	/**
	 * What the database says about the lane's shards.
	 *
	 * @param rows the shards
	 * @param at when it was asked, as nano time
	 */
	private record Offer(List<HeldRow> rows, long at) {

		/**
		 * When the first of the streams is due that go by themselves, or something else.
		 */
		long dueBefore(long other) {
			long first = other;
			for (HeldRow row : this.rows) {
				Long due = row.dueMillis();
				long next = (due != null) ? this.at + Duration.ofMillis(due).toNanos() : first;
				first = (next - first < 0) ? next : first;
			}
			return first;
		}

	}

}

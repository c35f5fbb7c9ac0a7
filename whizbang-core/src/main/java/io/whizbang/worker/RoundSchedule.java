package io.whizbang.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.whizbang.coordinator.WorkBatch;

/**
 * Decides when the next exchange is due, and how much it asks for. All times are
 * nanoseconds; only the thread of the pump uses it, but anyone may signal.
 */
final class RoundSchedule {

	private static final long NEVER = Long.MAX_VALUE;

	/** Shortest wait for messages that are about to be due, most of them of others. */
	private static final long DUE_AGAIN = Duration.ofMillis(5).toNanos();

	/** Longest rest between exchanges; long ones have gathered enough by themselves. */
	private static final long LONGEST_REST = Duration.ofMillis(2).toNanos();

	private final WorkerSettings settings;

	private final long heartbeat;

	private final BooleanSupplier listening;

	private final int worthwhileRoom;

	private final AtomicBoolean signalled = new AtomicBoolean(true);

	private long lastRound;

	private long lastClaim;

	private boolean more;

	private boolean heldBack;

	private boolean due;

	private long dueAt;

	private long rest;

	private int emptyClaims;

	RoundSchedule(WorkerSettings settings, Duration heartbeat, BooleanSupplier listening) {
		this.settings = settings;
		this.heartbeat = heartbeat.toNanos();
		this.listening = listening;
		this.worthwhileRoom = Math.max(1, Math.min(settings.batchSize(), settings.prefetch() / 2));
	}

	/** There may be something to claim. */
	void signal() {
		this.signalled.set(true);
	}

	/** Tells how long until the next exchange; it is due when nothing is left. */
	long untilNext(long now, LaneState lanes) {
		if (lanes.renewalDue()) {
			return 0;
		}
		long wait = Math.min(untilClaim(now, room(lanes)), untilPoll(now));
		if (lanes.settledFor() >= 0) {
			long flush = isHungry() ? 0 : this.settings.flushInterval().toNanos();
			wait = Math.min(wait, flush - lanes.settledFor());
		}
		if (lanes.unreportedFor() >= 0) {
			wait = Math.min(wait, this.settings.partialFlush().toNanos() - lanes.unreportedFor());
		}
		return Math.max(untilRested(now), wait);
	}

	/**
	 * Says how much to ask for. With a backlog a few free places are not worth a claim of
	 * their own, unless there have been no more for long.
	 */
	int limit(long now, LaneState lanes) {
		int room = room(lanes);
		if (this.more && room < this.worthwhileRoom && now - this.lastClaim < this.settings.maxPoll().toNanos()) {
			return 0;
		}
		return Math.max(0, Math.min(this.settings.batchSize(), room));
	}

	/**
	 * Returns how many messages may be left for the next claim to be worthwhile, or -1
	 * when none is wanted.
	 */
	int inFlightWanted() {
		if (this.more) {
			return this.settings.prefetch() - this.worthwhileRoom;
		}
		return this.signalled.get() ? this.settings.prefetch() - 1 : -1;
	}

	/** Says whether to ask for work of others' share as well. */
	boolean steals(Share share) {
		return this.settings.stealWhenIdle() && this.emptyClaims >= 2 && share.members() > 1;
	}

	void asking(int limit) {
		if (limit > 0) {
			this.signalled.set(false);
		}
	}

	void failed() {
		this.signalled.set(true);
	}

	/**
	 * Takes in an answer.
	 * @param asked when the question was put: from then on the time until the next due
	 * message counts, or it would be late by the time that the answer took
	 * @param now when the answer had come
	 * @param limit how much was asked for
	 * @param batch the answer
	 */
	void answered(long asked, long now, int limit, WorkBatch batch) {
		this.lastRound = now;
		this.rest = Math.min(now - asked, LONGEST_REST);
		if (limit == 0) {
			return;
		}
		this.lastClaim = now;
		this.more = batch.more();
		this.heldBack = batch.heldBack();
		this.emptyClaims = (batch.claimed().count() == 0 && !batch.more()) ? this.emptyClaims + 1 : 0;
		this.due = batch.nextDue() != null;
		this.dueAt = (batch.nextDue() != null) ? asked + Math.max(batch.nextDue().toNanos(), shortestDue(batch)) : 0;
	}

	boolean wasEmpty() {
		return this.emptyClaims > 0;
	}

	private long untilClaim(long now, int room) {
		if (room <= 0) {
			return NEVER;
		}
		if (this.more) {
			return (room >= this.worthwhileRoom) ? 0 : this.lastClaim + this.settings.maxPoll().toNanos() - now;
		}
		if (this.signalled.get()) {
			return 0;
		}
		return this.due ? this.dueAt - now : NEVER;
	}

	/**
	 * While messages keep coming one by one, exchanges without a pause would take a
	 * processor of their own for a handful each: a rest as long as the last one lets more
	 * gather. Who comes after a while does not wait, nor does a backlog.
	 */
	private long untilRested(long now) {
		return this.more ? 0 : Math.max(0, this.rest - (now - this.lastRound));
	}

	private long untilPoll(long now) {
		return this.lastRound + Math.min(pollPause(), this.heartbeat) - now;
	}

	private long pollPause() {
		long ramp = Math.min(doubled(this.settings.minPoll().toNanos(), this.emptyClaims - 1),
				this.settings.maxPoll().toNanos());
		if (this.heldBack || !this.listening.getAsBoolean()) {
			return ramp;
		}
		return this.settings.listeningPoll().toNanos();
	}

	/**
	 * Without a pause, an instance would look whenever a message of another one's share
	 * is due. It must be short: the next one may be its own.
	 */
	private long shortestDue(WorkBatch batch) {
		return (this.emptyClaims > 0 && batch.members() > 1) ? DUE_AGAIN : 0;
	}

	/** Someone waits for what a report would set free. */
	private boolean isHungry() {
		return this.more || this.heldBack || this.signalled.get();
	}

	private int room(LaneState lanes) {
		return this.settings.prefetch() - lanes.inFlight();
	}

	private static long doubled(long nanos, int times) {
		return nanos << Math.max(0, Math.min(times, 10));
	}

}

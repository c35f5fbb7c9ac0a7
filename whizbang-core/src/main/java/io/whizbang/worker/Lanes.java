package io.whizbang.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * Claimed messages on their way through the handler: one stream, one lane, order kept,
 * over as many claims as hold messages of it. A stream that fails, or of which something
 * goes back, stops until that is reported; the other lanes go on.
 * <p>
 * One lock guards all of it, and is never held while the handler, the database or a
 * listener is called.
 */
final class Lanes {

	private final ReentrantLock lock = new ReentrantLock();

	private final Arrivals arrivals = new Arrivals();

	private final HeldWork work;

	private final HandOver handOver;

	private final WorkerSettings settings;

	private final Duration lease;

	private final Watchdog watchdog;

	private final LongSupplier nanoTime;

	private int freeWanted = -1;

	private boolean uncertain;

	private boolean closed;

	Lanes(HandOver handOver, WorkerSettings settings, Duration lease, LongSupplier nanoTime) {
		this.work = new HeldWork(settings);
		this.handOver = handOver;
		this.settings = settings;
		this.lease = lease;
		this.nanoTime = nanoTime;
		this.watchdog = new Watchdog(settings.handlerTimeout());
	}

	/**
	 * Takes in a new claim, whose messages come with {@link #arrive}.
	 * @param claim the claim
	 * @param count how many messages it has
	 * @param leasedAt when its lease began, at the latest
	 * @return the claim
	 */
	HeldClaim expect(Claim claim, int count, long leasedAt) {
		HeldClaim held = new HeldClaim(claim, count, this.lease, leasedAt);
		locked(() -> {
			if (this.arrivals.await(held)) {
				this.work.claims().hold(held);
			}
			else {
				held.lose();
			}
		});
		return held;
	}

	/**
	 * Takes in the messages of a claim, unless it was lost meanwhile, when those of the
	 * claims before it are there.
	 * @param held the claim
	 * @param work its messages, in queue order; none when the claim is gone
	 */
	void arrive(HeldClaim held, List<Work> work) {
		if (work.isEmpty()) {
			tearOut(held);
			return;
		}
		List<Item> items = work.stream().map((one) -> this.handOver.item(one, held)).toList();
		locked(() -> {
			held.arrived(items);
			fillArrived();
		});
	}

	/**
	 * Gives back a claim whose messages cannot be read, and with it those behind it,
	 * which must not overtake: the next report does not know them.
	 * @param held the claim
	 */
	void tearOut(HeldClaim held) {
		locked(() -> {
			this.work.lose(this.arrivals.tearOut(held).stream().map(HeldClaim::claim).toList());
			fillArrived();
		});
	}

	/**
	 * Ends one call of the handler and begins the next, in one go.
	 * @param ended the call that has ended, or {@code null}
	 * @param outcomes what became of its messages
	 * @return the next call, or {@code null} when nothing can start, and whether the pump
	 * should look
	 */
	Turn next(@Nullable Running ended, List<Outcome> outcomes) {
		this.lock.lock();
		try {
			long now = this.nanoTime.getAsLong();
			HeldClaims claims = this.work.claims();
			boolean wasSettled = claims.settledFor(now) >= 0;
			boolean wasUnreported = claims.unreportedFor(now) >= 0;
			if (ended != null) {
				this.work.ended(ended, outcomes, now);
			}
			Running next = start(now);
			boolean news = !wasSettled && claims.settledFor(now) >= 0
					|| !wasUnreported && claims.unreportedFor(now) >= 0;
			return new Turn(next, this.work.readyCount(), news || isEnoughFree() || isDrained());
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many lanes could start now. */
	int readyCount() {
		return guarded(() -> this.closed ? 0 : this.work.readyCount());
	}

	/**
	 * Looks after running calls and leases.
	 * @return how the lanes stand afterwards
	 */
	LaneState watch(long now) {
		return guarded(() -> {
			long nextTimeout = this.watchdog.check(this.work.running(), now);
			this.work.checkLeases(now);
			HeldClaims claims = this.work.claims();
			return new LaneState(claims.open(), claims.all().size(), this.work.running().size(), claims.settledFor(now),
					claims.unreportedFor(now), claims.isRenewalDue(),
					Math.min(nextTimeout, claims.untilLeaseCheck(now)));
		});
	}

	/**
	 * Asks to be told when so few messages are left.
	 * @param inFlight how many, or -1 to ask no more
	 */
	void tellWhenLeft(int inFlight) {
		locked(() -> this.freeWanted = inFlight);
	}

	PendingReport report(long now, boolean everything) {
		return guarded(() -> {
			this.arrivals.reporting();
			return this.work.claims()
				.report(now, this.settings.partialFlush().toNanos(), everything,
						this.uncertain ? this.work.waiting() : List.of());
		});
	}

	/**
	 * The report got through: failed streams go on with what the database gives next. In
	 * one go with what the answer takes away, so that nothing of that can start in
	 * between.
	 * @param pending the report
	 * @param lost claims that the database gave to others
	 * @param released messages that it took back
	 * @param leasedAt when renewed leases began, at the latest
	 */
	void reported(PendingReport pending, Collection<Claim> lost, Set<Long> released, long leasedAt) {
		locked(() -> {
			this.uncertain = false;
			this.work.claims().reported(pending, leasedAt);
			this.work.lose(lost);
			release(released);
			fillArrived();
			pending.parts().forEach((part) -> part.blockedLanes().forEach(this.work::freed));
		});
	}

	/**
	 * The report may have got through. If it has, some of what waits here went back, and
	 * the next report asks which; what has not arrived goes back anyhow.
	 * @param pending the report
	 */
	void notReported(PendingReport pending) {
		locked(() -> {
			this.uncertain = true;
			this.work.claims().notReported(pending, this.nanoTime.getAsLong());
			this.work.lose(this.arrivals.tearOutAll().stream().map(HeldClaim::claim).toList());
		});
	}

	private void release(Set<Long> released) {
		if (!released.isEmpty()) {
			this.arrivals.released(released);
			this.work.release(released, this.nanoTime.getAsLong());
		}
	}

	private void fillArrived() {
		this.arrivals.take().forEach((held) -> this.work.fill(held, this.nanoTime.getAsLong()));
	}

	/** Drops everything; what still runs will count for nothing. */
	void forgetAll() {
		locked(this.work::forgetAll);
	}

	/** Nothing more starts. */
	void close() {
		locked(() -> this.closed = true);
	}

	void open() {
		locked(() -> this.closed = false);
	}

	/** Interrupts whatever runs. */
	void interruptAll() {
		locked(() -> this.work.running().forEach(Running::timeOut));
	}

	private @Nullable Running start(long now) {
		if (this.closed) {
			return null;
		}
		List<Running.Part> parts = this.work.take(Math.min(this.settings.handOver(), this.handOver.limit()), now);
		if (parts.isEmpty()) {
			return null;
		}
		Running next = new Running(parts, this.nanoTime);
		this.work.started(next);
		return next;
	}

	private boolean isEnoughFree() {
		boolean enough = this.work.claims().open() <= this.freeWanted;
		if (enough) {
			this.freeWanted = -1;
		}
		return enough;
	}

	private boolean isDrained() {
		return this.closed && this.work.running().isEmpty();
	}

	private void locked(Runnable action) {
		guarded(() -> {
			action.run();
			return true;
		});
	}

	private <T> T guarded(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What a drainer does next.
	 *
	 * @param next the next call, or {@code null} when nothing can start
	 * @param ready how many more lanes could start
	 * @param news whether the pump should look
	 */
	record Turn(@Nullable Running next, int ready, boolean news) {
	}

}

package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
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
 * One lock guards lanes and claims. It is never held while the handler, the database or a
 * listener is called.
 */
final class Lanes {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<UUID, Lane> byStream = new HashMap<>();

	private final ReadyLanes ready = new ReadyLanes();

	private final HeldClaims claims = new HeldClaims();

	private final Arrivals arrivals = new Arrivals();

	private final List<Running> running = new ArrayList<>();

	private final HandOver handOver;

	private final WorkerSettings settings;

	private final Duration lease;

	private final Watchdog watchdog;

	private final LongSupplier nanoTime;

	private int freeWanted = -1;

	private boolean uncertain;

	private boolean closed;

	Lanes(HandOver handOver, WorkerSettings settings, Duration lease, LongSupplier nanoTime) {
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
				this.claims.hold(held);
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
			this.arrivals.take().forEach(this::fill);
		});
	}

	/**
	 * Gives back a claim whose messages cannot be read, and with it those behind it,
	 * which must not overtake: the next report does not know them.
	 * @param held the claim
	 */
	void tearOut(HeldClaim held) {
		locked(() -> {
			lose(this.arrivals.tearOut(held).stream().map(HeldClaim::claim).toList());
			this.arrivals.take().forEach(this::fill);
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
			boolean wasSettled = this.claims.settledFor(now) >= 0;
			boolean wasUnreported = this.claims.unreportedFor(now) >= 0;
			if (ended != null) {
				end(ended, outcomes, now);
			}
			Running next = start(now);
			boolean news = !wasSettled && this.claims.settledFor(now) >= 0
					|| !wasUnreported && this.claims.unreportedFor(now) >= 0;
			return new Turn(next, this.ready.size(), news || isEnoughFree() || isDrained());
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many lanes could start now. */
	int readyCount() {
		return guarded(() -> this.closed ? 0 : this.ready.size());
	}

	/**
	 * Looks after running calls and leases.
	 * @return how the lanes stand afterwards
	 */
	LaneState watch(long now) {
		return guarded(() -> {
			long nextTimeout = this.watchdog.check(this.running, now);
			if (this.claims.untilLeaseCheck(now) <= 0) {
				this.claims.all().forEach((claim) -> checkLease(claim, now));
			}
			return new LaneState(this.claims.open(), this.claims.all().size(), this.running.size(),
					this.claims.settledFor(now), this.claims.unreportedFor(now), this.claims.isRenewalDue(),
					Math.min(nextTimeout, this.claims.untilLeaseCheck(now)));
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
			return this.claims.report(now, this.settings.partialFlush().toNanos(), everything,
					this.uncertain ? waiting() : List.of());
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
			this.claims.reported(pending, leasedAt);
			lose(lost);
			release(released);
			this.arrivals.take().forEach(this::fill);
			pending.parts().forEach((part) -> part.blockedLanes().forEach(this::freed));
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
			this.claims.notReported(pending, this.nanoTime.getAsLong());
			lose(this.arrivals.tearOutAll().stream().map(HeldClaim::claim).toList());
		});
	}

	private List<Long> waiting() {
		return this.byStream.values()
			.stream()
			.flatMap((lane) -> lane.waiting().map((item) -> item.work().seq()))
			.toList();
	}

	private void lose(Collection<Claim> lost) {
		List<HeldClaim> gone = lost.stream().map(this.claims::lose).filter(Objects::nonNull).toList();
		// All of them before any lane goes on: one lane may hold messages of several.
		gone.forEach((held) -> held.lanes().forEach((lane) -> lane.removeIf((item) -> item.claim() == held)));
		gone.forEach((held) -> held.lanes().forEach(this::freed));
	}

	private void release(Set<Long> released) {
		if (released.isEmpty()) {
			return;
		}
		this.arrivals.released(released);
		List.copyOf(this.claims.all()).forEach((held) -> held.lanes().forEach((lane) -> {
			long now = this.nanoTime.getAsLong();
			List<Item> dropped = lane.removeIf((item) -> item.claim() == held && released.contains(item.work().seq()));
			if (!dropped.isEmpty()) {
				this.claims.dropped(held, lane, dropped.size(), now);
			}
		}));
	}

	/** Drops everything; what still runs will count for nothing. */
	void forgetAll() {
		locked(() -> {
			lose(this.claims.all().stream().map(HeldClaim::claim).toList());
			List.copyOf(this.byStream.values()).forEach((lane) -> {
				lane.setBlocked(false);
				freed(lane);
			});
		});
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
		locked(() -> this.running.forEach(Running::timeOut));
	}

	private void end(Running ended, List<Outcome> outcomes, long now) {
		this.running.remove(ended);
		int first = 0;
		for (Running.Part part : ended.parts()) {
			part.lane().setRunning(false);
			endPart(part, outcomes.subList(first, first + part.items().size()), now);
			freed(part.lane());
			first += part.items().size();
		}
	}

	private void endPart(Running.Part part, List<Outcome> outcomes, long now) {
		for (int i = 0; i < outcomes.size(); i++) {
			HeldClaim claim = part.items().get(i).claim();
			if (claim.isLost()) {
				continue;
			}
			Outcome outcome = outcomes.get(i);
			this.claims.ended(claim, part.items().get(i).work(), outcome, now);
			if (Outcome.stopsTheStream(outcome)) {
				part.lane().putBack(part.items().subList(i + 1, outcomes.size()));
				stop(part.lane(), claim, outcome, now);
				return;
			}
		}
	}

	private void stop(Lane lane, HeldClaim claim, Outcome outcome, long now) {
		if (outcome instanceof Outcome.Release) {
			releaseWaiting(lane, claim, now);
		}
		// The database itself gives back what is behind, when it hears of it.
		block(lane, claim, now);
	}

	private void block(Lane lane, HeldClaim claim, long now) {
		if (!lane.isBlocked() && lane.stream() != null) {
			lane.setBlocked(true);
			this.claims.blocked(claim, lane, now);
		}
	}

	private @Nullable Running start(long now) {
		if (this.closed) {
			return null;
		}
		List<Running.Part> parts = this.ready.take(Math.min(this.settings.handOver(), this.handOver.limit()),
				(lane) -> isInTime(lane, now));
		if (parts.isEmpty()) {
			return null;
		}
		Running next = new Running(parts, this.nanoTime);
		parts.forEach((part) -> part.lane().setRunning(true));
		this.running.add(next);
		return next;
	}

	private boolean isInTime(Lane lane, long now) {
		Item head = lane.head();
		if (head == null || !head.claim().isLate(now)) {
			return true;
		}
		releaseWaiting(lane, head.claim(), now);
		return false;
	}

	private void releaseWaiting(Lane lane, HeldClaim claim, long now) {
		List<Item> waiting = lane.removeIf((item) -> item.claim() == claim);
		waiting.forEach((item) -> this.claims.ended(claim, item.work(), Outcome.RELEASE, now));
		if (!waiting.isEmpty()) {
			// Other claims may hold, or bring, what comes after.
			block(lane, claim, now);
		}
	}

	private void fill(HeldClaim held) {
		List<Item> items = held.takeArrived();
		int missing = held.open() - items.size();
		for (Item item : items) {
			Lane lane = laneOf(item.work().stream());
			Item last = lane.last();
			if (last == null || last.claim() != held) {
				held.uses(lane);
			}
			lane.add(item);
			this.ready.offer(lane);
		}
		if (missing > 0) {
			this.claims.dropped(held, missing, this.nanoTime.getAsLong());
		}
	}

	private void checkLease(HeldClaim claim, long now) {
		if (claim.untilLeaseCheck(now) > 0) {
			return;
		}
		claim.leaseChecked(now, claim.isRenewable(this.settings.maxRenewals()) && isProgressing(claim));
		if (claim.isLate(now)) {
			// What waits behind running work stays: giving it back first would let it
			// overtake.
			claim.lanes().stream().filter(Lane::isStartable).forEach((lane) -> releaseWaiting(lane, claim, now));
		}
	}

	private boolean isProgressing(HeldClaim claim) {
		List<Running> stuck = this.running.stream().filter(Running::isTimedOut).toList();
		int heldUp = stuck.stream().mapToInt((call) -> call.countHeldUp(claim)).sum();
		return stuck.size() < this.settings.concurrency() && claim.runnable() > heldUp;
	}

	private Lane laneOf(@Nullable UUID stream) {
		return (stream != null) ? this.byStream.computeIfAbsent(stream, Lane::new) : new Lane(null);
	}

	/** Something that kept the lane from going on may have gone. */
	private void freed(Lane lane) {
		if (lane.stream() != null && lane.isOver()) {
			this.byStream.remove(lane.stream(), lane);
		}
		this.ready.offer(lane);
	}

	private boolean isEnoughFree() {
		boolean enough = this.claims.open() <= this.freeWanted;
		if (enough) {
			this.freeWanted = -1;
		}
		return enough;
	}

	private boolean isDrained() {
		return this.closed && this.running.isEmpty();
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

package io.whizbang.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The messages in this instance's hands: of which claim, in which lane, in which call of
 * the handler, and what becomes of them. Guarded by the lock of {@link Lanes}.
 */
final class HeldWork {

	private final Map<UUID, Lane> byStream = new HashMap<>();

	private final ReadyLanes ready = new ReadyLanes();

	private final HeldClaims claims = new HeldClaims();

	private final List<Running> running = new ArrayList<>();

	private final WorkerSettings settings;

	HeldWork(WorkerSettings settings) {
		this.settings = settings;
	}

	HeldClaims claims() {
		return this.claims;
	}

	/** Returns the calls of the handler that are under way. */
	List<Running> running() {
		return this.running;
	}

	/** Returns how many lanes could start now. */
	int readyCount() {
		return this.ready.size();
	}

	/** Returns the places in the queue of what has not started. */
	List<Long> waiting() {
		return this.byStream.values()
			.stream()
			.flatMap((lane) -> lane.waiting().map((item) -> item.work().seq()))
			.toList();
	}

	/** Puts messages that have arrived into their lanes. */
	void fill(HeldClaim held, long now) {
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
			this.claims.dropped(held, missing, now);
		}
	}

	/**
	 * Takes what the next call of the handler gets.
	 * @param limit how many messages at most
	 * @param now the time
	 * @return the messages by lane; empty when nothing can start
	 */
	List<Running.Part> take(int limit, long now) {
		return this.ready.take(limit, (lane) -> isInTime(lane, now));
	}

	void started(Running call) {
		call.parts().forEach((part) -> part.lane().setRunning(true));
		this.running.add(call);
	}

	void ended(Running call, List<Outcome> outcomes, long now) {
		this.running.remove(call);
		int first = 0;
		for (Running.Part part : call.parts()) {
			part.lane().setRunning(false);
			endPart(part, outcomes.subList(first, first + part.items().size()), now);
			freed(part.lane());
			first += part.items().size();
		}
	}

	/** Something that kept the lane from going on may have gone. */
	void freed(Lane lane) {
		if (lane.stream() != null && lane.isOver()) {
			this.byStream.remove(lane.stream(), lane);
		}
		this.ready.offer(lane);
	}

	/** Drops what belongs to claims that others have now. */
	void lose(Collection<Claim> lost) {
		List<HeldClaim> gone = lost.stream().map(this.claims::lose).filter(Objects::nonNull).toList();
		// All of them before any lane goes on: one lane may hold messages of several.
		gone.forEach((held) -> held.lanes().forEach((lane) -> lane.removeIf((item) -> item.claim() == held)));
		gone.forEach((held) -> held.lanes().forEach(this::freed));
	}

	/** Drops messages that the database took back. */
	void release(Set<Long> released, long now) {
		List.copyOf(this.claims.all()).forEach((held) -> held.lanes().forEach((lane) -> {
			List<Item> dropped = lane.removeIf((item) -> item.claim() == held && released.contains(item.work().seq()));
			if (!dropped.isEmpty()) {
				this.claims.dropped(held, lane, dropped.size(), now);
			}
		}));
	}

	/** Drops everything; what still runs will count for nothing. */
	void forgetAll() {
		lose(this.claims.all().stream().map(HeldClaim::claim).toList());
		List.copyOf(this.byStream.values()).forEach((lane) -> {
			lane.setBlocked(false);
			freed(lane);
		});
	}

	/** Renews leases of claims that get on; gives back what cannot start in time. */
	void checkLeases(long now) {
		if (this.claims.untilLeaseCheck(now) <= 0) {
			this.claims.all().forEach((claim) -> checkLease(claim, now));
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

	private Lane laneOf(@Nullable UUID stream) {
		return (stream != null) ? this.byStream.computeIfAbsent(stream, Lane::new) : new Lane(null);
	}

}

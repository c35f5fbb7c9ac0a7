package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * A claim in this instance's hands: what of it is still open, what is not reported yet,
 * and how much of its lease is gone. Guarded by the lock of {@link Lanes}.
 */
final class HeldClaim {

	private final Claim claim;

	private final long lease;

	private final List<Lane> lanes = new ArrayList<>();

	private final Set<Long> releasedEarly = new HashSet<>();

	private @Nullable List<Item> arrived;

	private List<Lane> blockedLanes = new ArrayList<>();

	private Map<Work, Outcome> unreported = new LinkedHashMap<>();

	private long unreportedSince;

	private int open;

	private int blocked;

	private boolean lost;

	private long leasedAt;

	private long nextLeaseCheck;

	private int renewals;

	private boolean renewalDue;

	HeldClaim(Claim claim, int count, Duration lease, long leasedAt) {
		this.claim = claim;
		this.open = count;
		this.lease = lease.toNanos();
		leasedAt(leasedAt);
	}

	Claim claim() {
		return this.claim;
	}

	/** The messages are read; their turn may come later. */
	void arrived(List<Item> items) {
		this.arrived = items;
	}

	boolean hasArrived() {
		return this.arrived != null;
	}

	/** The database took messages back before they arrived. */
	void releasedEarly(Set<Long> seqs) {
		this.releasedEarly.addAll(seqs);
	}

	/** Takes the messages that have arrived and are still in our hands. */
	List<Item> takeArrived() {
		List<Item> items = (this.arrived != null) ? this.arrived : List.of();
		this.arrived = null;
		if (this.releasedEarly.isEmpty()) {
			return items;
		}
		return items.stream().filter((item) -> !this.releasedEarly.contains(item.work().seq())).toList();
	}

	void uses(Lane lane) {
		this.lanes.add(lane);
	}

	List<Lane> lanes() {
		return this.lanes;
	}

	void ended(Work work, Outcome outcome, long now) {
		if (this.unreported.isEmpty()) {
			this.unreportedSince = now;
		}
		this.unreported.put(work, outcome);
		this.open--;
	}

	/**
	 * Notes that a lane stands still until its failure is reported.
	 * @param lane the lane
	 * @param behind how many messages of this claim wait behind the failure
	 */
	void blocked(Lane lane, int behind) {
		this.blockedLanes.add(lane);
		this.blocked += behind;
	}

	/** Says whether a lane stands still because of this claim. */
	boolean blocks(Lane lane) {
		return this.blockedLanes.contains(lane);
	}

	/** Messages behind a failure went back to the database. */
	void droppedBlocked(int count) {
		this.blocked -= count;
		this.open -= count;
	}

	/** Messages went back to the database. */
	void dropped(int count) {
		this.open -= count;
	}

	int open() {
		return this.open;
	}

	/** Messages that can end without a report before. */
	int runnable() {
		return this.open - this.blocked;
	}

	boolean isOver() {
		return this.open == 0 && this.unreported.isEmpty();
	}

	/** Nothing more will end before a report. */
	boolean isSettled() {
		return runnable() == 0 && !this.unreported.isEmpty();
	}

	boolean hasUnreported() {
		return !this.unreported.isEmpty();
	}

	long unreportedFor(long now) {
		return now - this.unreportedSince;
	}

	Map<Work, Outcome> takeUnreported() {
		Map<Work, Outcome> taken = this.unreported;
		this.unreported = new LinkedHashMap<>();
		return taken;
	}

	List<Lane> takeBlockedLanes() {
		List<Lane> taken = this.blockedLanes;
		this.blockedLanes = new ArrayList<>();
		return taken;
	}

	/** The report did not get through: it is all to be told again. */
	void putBack(Map<Work, Outcome> outcomes, List<Lane> blockedLanes, long now) {
		if (this.unreported.isEmpty()) {
			this.unreportedSince = now;
		}
		outcomes.putAll(this.unreported);
		this.unreported = outcomes;
		this.blockedLanes.addAll(blockedLanes);
	}

	boolean isLost() {
		return this.lost;
	}

	void lose() {
		this.lost = true;
	}

	/** So much of the lease is gone that what starts now might outlive it. */
	boolean isLate(long now) {
		return now - this.leasedAt >= this.lease / 10 * 8;
	}

	/** Tells how long until the lease needs a look: from its half on, every tenth. */
	long untilLeaseCheck(long now) {
		return this.nextLeaseCheck - now;
	}

	void leaseChecked(long now, boolean renew) {
		this.renewalDue = renew;
		this.nextLeaseCheck = now + this.lease / 10;
	}

	boolean isRenewable(int maxRenewals) {
		return this.renewals < maxRenewals;
	}

	boolean isRenewalDue() {
		return this.renewalDue && !this.lost && this.open > 0;
	}

	void renewed(long leasedAt) {
		this.renewals++;
		leasedAt(leasedAt);
	}

	private void leasedAt(long leasedAt) {
		this.leasedAt = leasedAt;
		this.nextLeaseCheck = leasedAt + this.lease / 2;
		this.renewalDue = false;
	}

}

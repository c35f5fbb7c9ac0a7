package io.whizbang.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.WorkReport;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * All claims in this instance's hands, and what is to be reported of them. Guarded by the
 * lock of {@link Lanes}.
 */
final class HeldClaims {

	private static final long NEVER = Long.MAX_VALUE;

	private final Map<Claim, HeldClaim> held = new LinkedHashMap<>();

	private int open;

	private boolean settled;

	private long settledSince;

	private boolean unreported;

	private long unreportedSince;

	void hold(HeldClaim claim) {
		this.held.put(claim.claim(), claim);
		this.open += claim.open();
	}

	void ended(HeldClaim claim, Work work, Outcome outcome, long now) {
		claim.ended(work, outcome, now);
		this.open--;
		if (!this.unreported) {
			this.unreported = true;
			this.unreportedSince = now;
		}
		noteIfSettled(claim, now);
	}

	void blocked(HeldClaim claim, Lane lane, long now) {
		claim.blocked(lane, lane.count(claim));
		noteIfSettled(claim, now);
	}

	/**
	 * Messages of the claim, in a lane, went back to the database.
	 */
	void dropped(HeldClaim claim, Lane lane, int count, long now) {
		if (claim.blocks(lane)) {
			claim.droppedBlocked(count);
			this.open -= count;
			removeIfOver(claim);
		}
		else {
			dropped(claim, count, now);
		}
	}

	/**
	 * Messages of the claim went back to the database, and are no longer in our hands.
	 */
	void dropped(HeldClaim claim, int count, long now) {
		claim.dropped(count);
		this.open -= count;
		removeIfOver(claim);
		noteIfSettled(claim, now);
	}

	PendingReport report(long now, long partialFlush, boolean everything, Collection<Long> holding) {
		List<Claim> finished = new ArrayList<>();
		List<Claim> known = new ArrayList<>();
		Map<Work, Outcome> outcomes = new HashMap<>();
		List<PendingReport.Part> parts = new ArrayList<>();
		List<HeldClaim> renewed = new ArrayList<>();
		boolean members = false;
		this.settled = false;
		this.unreported = false;
		for (HeldClaim claim : this.held.values()) {
			if (claim.open() > 0) {
				known.add(claim.claim());
			}
			if (claim.isRenewalDue()) {
				renewed.add(claim);
			}
			if (!claim.hasUnreported()) {
				continue;
			}
			if (everything || claim.isSettled() || claim.unreportedFor(now) >= partialFlush) {
				Map<Work, Outcome> ended = claim.takeUnreported();
				parts.add(new PendingReport.Part(claim, ended, claim.takeBlockedLanes()));
				members = members || ended.keySet().stream().anyMatch(WorkReport::isMember);
				if (claim.open() == 0) {
					finished.add(claim.claim());
					ended.forEach((work, outcome) -> addUnlessDone(outcomes, work, outcome));
				}
				else {
					outcomes.putAll(ended);
				}
			}
			else {
				noteUnreported(now - claim.unreportedFor(now));
			}
		}
		WorkReport report = new WorkReport(finished, outcomes, renewed.stream().map(HeldClaim::claim).toList(), known,
				List.of(), holding, members);
		return new PendingReport(report, parts, renewed);
	}

	/** The report got through. */
	void reported(PendingReport pending, long leasedAt) {
		pending.renewed().forEach((claim) -> claim.renewed(leasedAt));
		for (PendingReport.Part part : pending.parts()) {
			for (Lane lane : part.blockedLanes()) {
				lane.setBlocked(false);
				int behind = lane.removeIf((item) -> item.claim() == part.claim()).size();
				part.claim().droppedBlocked(behind);
				this.open -= behind;
			}
			removeIfOver(part.claim());
		}
	}

	/** The report may not have got through. */
	void notReported(PendingReport pending, long now) {
		for (PendingReport.Part part : pending.parts()) {
			part.claim().putBack(part.outcomes(), part.blockedLanes(), now);
			noteUnreported(now);
			noteIfSettled(part.claim(), now);
		}
	}

	/**
	 * Forgets a claim; whatever becomes of its messages counts no more.
	 * @param claim the claim
	 * @return what was held of it, or {@code null}
	 */
	@Nullable HeldClaim lose(Claim claim) {
		HeldClaim lost = this.held.remove(claim);
		if (lost != null) {
			lost.lose();
			// Nothing is left to report that they could wait for.
			lost.takeBlockedLanes().forEach((lane) -> lane.setBlocked(false));
			this.open -= lost.open();
		}
		return lost;
	}

	Collection<HeldClaim> all() {
		return this.held.values();
	}

	int open() {
		return this.open;
	}

	/** How long something has been ready to report at once, or -1. */
	long settledFor(long now) {
		return this.settled ? Math.max(0, now - this.settledSince) : -1;
	}

	/** How long the oldest unreported outcome has been waiting, or -1. */
	long unreportedFor(long now) {
		return this.unreported ? Math.max(0, now - this.unreportedSince) : -1;
	}

	boolean isRenewalDue() {
		return this.held.values().stream().anyMatch(HeldClaim::isRenewalDue);
	}

	long untilLeaseCheck(long now) {
		return this.held.values().stream().mapToLong((claim) -> claim.untilLeaseCheck(now)).min().orElse(NEVER);
	}

	private void noteIfSettled(HeldClaim claim, long now) {
		if (!this.settled && claim.isSettled()) {
			this.settled = true;
			this.settledSince = now;
		}
	}

	private void noteUnreported(long since) {
		if (!this.unreported || since - this.unreportedSince < 0) {
			this.unreported = true;
			this.unreportedSince = since;
		}
	}

	private void removeIfOver(HeldClaim claim) {
		if (claim.isOver()) {
			this.held.remove(claim.claim());
		}
	}

	/**
	 * A finished claim is done but for what is named: naming the good ones would only
	 * cost.
	 */
	private static void addUnlessDone(Map<Work, Outcome> outcomes, Work work, Outcome outcome) {
		if (!(outcome instanceof Outcome.Done)) {
			outcomes.put(work, outcome);
		}
	}

}

package io.whizbang.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.whizbang.chaos.Findings.Kind;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;

/**
 * What the coordinator accepted, over all instances. A moment is a number that grows with
 * every call and every answer: what was answered before a call began happened before it.
 */
final class Acceptances {

	private final Map<Claim, Set<Long>> open = new HashMap<>();

	private final Map<Claim, Long> lostAt = new HashMap<>();

	private final Map<Long, Holder> holders = new HashMap<>();

	private final Map<Long, Long> completedAt = new HashMap<>();

	private final Findings findings;

	private long moment;

	private int lost;

	Acceptances(Findings findings) {
		this.findings = findings;
	}

	synchronized long begin() {
		return ++this.moment;
	}

	synchronized void answered(long begun, WorkReport report, WorkBatch batch) {
		this.moment++;
		batch.lost().forEach((claim) -> {
			this.lostAt.putIfAbsent(claim, this.moment);
			this.lost++;
		});
		if (!batch.refused()) {
			report.outcomes().forEach((work, outcome) -> settled(begun, work, outcome, batch));
			this.open.values().forEach((seqs) -> seqs.removeAll(batch.released()));
			report.finished().forEach((claim) -> finished(begun, claim, batch));
		}
		if (batch.claim() != null) {
			batch.work().forEach((work) -> claimed(begun, work));
		}
		if (batch.orphans() > 0) {
			this.findings.add(Kind.ORPHANS, batch.orphans() + " found by the sweep of rank " + batch.rank());
		}
	}

	synchronized int lost() {
		return this.lost;
	}

	private void settled(long begun, Work work, Outcome outcome, WorkBatch batch) {
		Set<Long> rest = this.open.getOrDefault(work.claim(), new HashSet<>());
		if (batch.lost().contains(work.claim()) || !rest.remove(work.seq())) {
			return;
		}
		if (outcome instanceof Outcome.Done || outcome instanceof Outcome.Dead) {
			completed(begun, work.claim(), work.seq());
		}
	}

	private void finished(long begun, Claim claim, WorkBatch batch) {
		Set<Long> rest = this.open.remove(claim);
		if (rest != null && !batch.lost().contains(claim)) {
			rest.forEach((seq) -> completed(begun, claim, seq));
		}
	}

	private void completed(long begun, Claim claim, long seq) {
		if (this.completedAt.putIfAbsent(seq, this.moment) != null) {
			this.findings.add(Kind.TWICE, seq + " was completed twice, the second time by " + claim);
		}
		Holder holder = this.holders.get(seq);
		if (holder != null && !holder.claim().equals(claim) && holder.since() < begun) {
			this.findings.add(Kind.FENCE,
					seq + " was completed by " + claim + " although " + holder.claim() + " had it");
		}
		if (this.lostAt.getOrDefault(claim, Long.MAX_VALUE) < begun) {
			this.findings.add(Kind.FENCE, seq + " was completed by " + claim + " which had been lost");
		}
	}

	private void claimed(long begun, Work work) {
		if (this.completedAt.getOrDefault(work.seq(), Long.MAX_VALUE) < begun) {
			this.findings.add(Kind.TWICE, work.seq() + " was claimed after it was completed");
		}
		this.holders.put(work.seq(), new Holder(work.claim(), this.moment));
		this.open.computeIfAbsent(work.claim(), (claim) -> new HashSet<>()).add(work.seq());
	}

	private record Holder(Claim claim, long since) {
	}

}

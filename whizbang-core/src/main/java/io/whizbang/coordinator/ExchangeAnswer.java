package io.whizbang.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.whizbang.work.Claim;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * The first row of an exchange: everything but the messages.
 *
 * @param refused whether the caller is not registered
 * @param claim the new claim
 * @param leaseExpiry when it ends
 * @param claimed how many messages were claimed
 * @param carried whether they came along
 * @param lost numbers of lost claims
 * @param released places of messages that were given back
 * @param more whether another call is likely to claim more
 * @param heldBack whether other instances' claims are in the way
 * @param nextDue time until a waiting message is due
 * @param members number of members
 * @param rank the caller's place among them
 * @param epoch number of the member list
 * @param recovered messages recovered from expired claims
 * @param orphans messages found by the sweep
 * @param movedTo ranks whose share got delayed messages
 * @param memory what to remember
 */
record ExchangeAnswer(boolean refused, @Nullable Claim claim, @Nullable Instant leaseExpiry, int claimed,
		boolean carried, Set<Long> lost, Set<Long> released, boolean more, boolean heldBack, @Nullable Duration nextDue,
		int members, int rank, int epoch, int recovered, int orphans, Set<Integer> movedTo, @Nullable String memory) {

	WorkBatch toBatch(WorkReport report, ClaimedWork work) {
		Set<Claim> lostClaims = new HashSet<>();
		if (this.refused) {
			named(report).forEach(lostClaims::add);
		}
		else if (!this.lost.isEmpty()) {
			named(report).filter((claim) -> this.lost.contains(claim.id())).forEach(lostClaims::add);
		}
		return new WorkBatch(this.refused, this.claim, this.leaseExpiry, work, lostClaims, this.released, this.more,
				this.heldBack, this.nextDue, this.members, this.rank, this.epoch, this.recovered, this.orphans,
				this.movedTo, this.memory);
	}

	private static Stream<Claim> named(WorkReport report) {
		Stream<Claim> listed = Stream.concat(report.finished().stream(), report.renewed().stream());
		Stream<Claim> worked = report.outcomes().keySet().stream().map(Work::claim);
		Stream<Claim> known = (report.known() != null) ? report.known().stream() : Stream.empty();
		return Stream.of(listed, worked, known).flatMap((claims) -> claims);
	}

}

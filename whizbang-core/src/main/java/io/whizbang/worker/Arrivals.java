package io.whizbang.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Claims whose messages are being read. Messages arrive in the order of the claims,
 * whichever is read first: a later claim may hold what comes after an earlier one's in
 * its stream. Guarded by the lock of {@link Lanes}.
 */
final class Arrivals {

	private final Deque<HeldClaim> awaited = new ArrayDeque<>();

	private boolean torn;

	/** A report is made, which does not know what was torn out before. */
	void reporting() {
		this.torn = false;
	}

	/**
	 * Awaits the messages of a claim.
	 * @param claim the newest claim
	 * @return whether it is good: one that was made while an earlier one was torn out may
	 * hold what comes after that one's messages
	 */
	boolean await(HeldClaim claim) {
		if (this.torn) {
			return false;
		}
		this.awaited.add(claim);
		return true;
	}

	/**
	 * Takes those claims off the list whose turn it is.
	 * @return claims with their messages, in order
	 */
	List<HeldClaim> take() {
		List<HeldClaim> arrived = new ArrayList<>(1);
		while (!this.awaited.isEmpty() && (this.awaited.getFirst().isLost() || this.awaited.getFirst().hasArrived())) {
			HeldClaim next = this.awaited.remove();
			if (!next.isLost()) {
				arrived.add(next);
			}
		}
		return arrived;
	}

	/** Messages went back to the database before they arrived. */
	void released(Set<Long> seqs) {
		this.awaited.forEach((claim) -> claim.releasedEarly(seqs));
	}

	/**
	 * Tears out everything that has not arrived.
	 * @return the claims
	 */
	List<HeldClaim> tearOutAll() {
		return this.awaited.isEmpty() ? List.of() : tearOut(this.awaited.getFirst());
	}

	/**
	 * Tears out a claim that could not be read.
	 * @param claim the claim
	 * @return the claim, and all behind it, whose messages have not arrived either
	 */
	List<HeldClaim> tearOut(HeldClaim claim) {
		List<HeldClaim> gone = new ArrayList<>();
		if (this.awaited.contains(claim)) {
			while (!this.awaited.isEmpty() && !gone.contains(claim)) {
				gone.add(0, this.awaited.removeLast());
			}
			this.torn = true;
		}
		return gone;
	}

}

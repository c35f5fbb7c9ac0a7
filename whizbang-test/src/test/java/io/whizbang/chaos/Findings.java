package io.whizbang.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Broken promises that a run has found, with the first few of each kind told in full.
 */
final class Findings {

	private static final int TOLD = 5;

	private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

	private final List<String> told = new ArrayList<>();

	synchronized void add(Kind kind, String what) {
		if (this.counts.merge(kind, 1, Integer::sum) <= TOLD) {
			this.told.add(kind + ": " + what);
		}
	}

	synchronized boolean isEmpty() {
		return this.counts.isEmpty();
	}

	synchronized boolean hasAny(Set<Kind> kinds) {
		return kinds.stream().anyMatch(this.counts::containsKey);
	}

	@Override
	public synchronized String toString() {
		return this.counts.isEmpty() ? "nothing" : this.counts + "\n  " + String.join("\n  ", this.told);
	}

	/** What can be wrong. */
	enum Kind {

		/** G1: something was delivered that no committed transaction has stored. */
		INVENTED,

		/** G2: something committed was neither delivered nor dead-lettered. */
		LOST,

		/** G2: something is still there although nothing was left to do. */
		LEFT_OVER,

		/**
		 * G3: a first delivery came after the first delivery of a later message of its
		 * stream.
		 */
		ORDER,

		/** G3: within a stream the order of places is not the order of commits. */
		COMMIT_ORDER,

		/** G4: a stream that nothing held up waited too long. */
		LATE,

		/** G5: a message was completed twice, or claimed after it was completed. */
		TWICE,

		/** G5: a completion was accepted from a claim that was lost or taken over. */
		FENCE,

		/** Two live claims hold one partition. */
		SHARED_PARTITION,

		/** Two calls of a handler for one stream overlapped within an instance. */
		OVERLAP,

		/** The safety sweep found what nobody would have claimed. */
		ORPHANS,

		/** Two transactions waited for each other. */
		DEADLOCK,

		/** Something failed that nobody had attacked. */
		SURPRISE

	}

}

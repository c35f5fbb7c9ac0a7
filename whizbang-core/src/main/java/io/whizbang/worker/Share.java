package io.whizbang.worker;

import java.util.BitSet;
import java.util.Collection;

/**
 * One view of who works on a queue, and this instance's place among them.
 *
 * @param members how many instances share the queue
 * @param rank this instance's place among them, from 0; -1 when it has none
 * @param epoch number of this view
 */
record Share(int members, int rank, int epoch) {

	/** Nothing is known yet. */
	static final Share UNKNOWN = new Share(0, -1, -1);

	boolean isKnown() {
		return this.members > 0 && this.rank >= 0;
	}

	/**
	 * Says whose share the messages fall into.
	 * @param partitionHashes the messages' partition hashes
	 * @param partitions number of partitions
	 * @return the ranks
	 */
	BitSet owners(Collection<Integer> partitionHashes, int partitions) {
		BitSet owners = new BitSet(this.members);
		for (int hash : partitionHashes) {
			owners.set(hash % partitions % this.members);
		}
		return owners;
	}

}

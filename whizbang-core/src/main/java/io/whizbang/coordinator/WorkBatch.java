package io.whizbang.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.whizbang.work.Claim;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an exchange.
 *
 * @param refused whether the caller is no registered instance (any more): it must forget
 * what it holds and register anew
 * @param claim the new claim, or {@code null} when nothing was claimed
 * @param leaseExpiry when the new claim and the renewed ones end, by the database's clock
 * @param claimed the claimed messages in queue order
 * @param lost claims named in the report that are not the caller's any more; nothing that
 * the report says of them took effect
 * @param released places of claimed messages that were given back because an earlier one
 * of their stream did not end well
 * @param more whether another call at once is likely to claim more
 * @param heldBack whether messages of the caller's share wait for claims of other
 * instances
 * @param nextDue how long until the next waiting message is due, or {@code null}
 * @param members how many instances share the queue
 * @param rank the caller's place among them, from 0; -1 when it has none
 * @param epoch number of this view of the members
 * @param recovered messages recovered from expired claims by this call
 * @param orphans messages found by the safety sweep; anything but 0 is a bug
 * @param movedTo ranks of the members whose share got messages that were delayed until
 * now
 * @param memory what to pass to the next exchange
 */
public record WorkBatch(boolean refused, @Nullable Claim claim, @Nullable Instant leaseExpiry, ClaimedWork claimed,
		Set<Claim> lost, Set<Long> released, boolean more, boolean heldBack, @Nullable Duration nextDue, int members,
		int rank, int epoch, int recovered, int orphans, Set<Integer> movedTo, @Nullable String memory) {

	/**
	 * Returns the claimed messages, and reads them if they did not come along.
	 * @return the messages in queue order
	 */
	public List<Work> work() {
		return this.claimed.read();
	}

}

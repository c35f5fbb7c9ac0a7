package io.whizbang.worker;

import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;

/**
 * Wakes this instance's pump directly when messages fall into its own share, and has the
 * others told when they fall into theirs.
 */
public final class LocalSignal implements WorkSignal {

	private final Map<Queue, WorkPump> pumps;

	private final int partitions;

	private final @Nullable WorkNotifier notifier;

	/**
	 * Creates a signal.
	 * @param pumps this instance's pumps, one for a queue at most
	 * @param partitions number of partitions of the queues
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public LocalSignal(Collection<WorkPump> pumps, int partitions, @Nullable WorkNotifier notifier) {
		this.pumps = pumps.stream().collect(Collectors.toUnmodifiableMap(WorkPump::queue, (pump) -> pump));
		this.partitions = partitions;
		this.notifier = notifier;
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		if (partitionHashes.isEmpty()) {
			return;
		}
		WorkPump pump = this.pumps.get(queue);
		Share share = (pump != null) ? pump.share() : Share.UNKNOWN;
		if (!share.isKnown()) {
			if (pump != null) {
				pump.signal();
			}
			announce(Announcement.toEveryone(queue));
			return;
		}
		BitSet owners = share.owners(partitionHashes, this.partitions);
		if (pump != null && owners.get(share.rank())) {
			pump.signal();
		}
		owners.clear(share.rank());
		if (!owners.isEmpty()) {
			announce(new Announcement(queue.label(), share.epoch(), owners));
		}
	}

	private void announce(Announcement announcement) {
		if (this.notifier != null) {
			this.notifier.announce(announcement);
		}
	}

}

package io.whizbang.autoconfigure;

import java.util.Collection;

import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.LocalSignal;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Reaches the workers once all beans exist. Until then none of them runs, and a signal
 * would be lost anyway. Were the outbox to know the workers from the start, transports
 * and handlers could not use the outbox.
 */
final class DeferredWorkSignal implements WorkSignal, SmartInitializingSingleton {

	private final ObjectProvider<WorkPump> pumps;

	private final ObjectProvider<WorkNotifier> notifier;

	private final int partitions;

	private volatile WorkSignal target = WorkSignal.NONE;

	DeferredWorkSignal(ObjectProvider<WorkPump> pumps, ObjectProvider<WorkNotifier> notifier, int partitions) {
		this.pumps = pumps;
		this.notifier = notifier;
		this.partitions = partitions;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.target = new LocalSignal(this.pumps.orderedStream().toList(), this.partitions,
				this.notifier.getIfAvailable());
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.target.raise(queue, partitionHashes);
	}

}

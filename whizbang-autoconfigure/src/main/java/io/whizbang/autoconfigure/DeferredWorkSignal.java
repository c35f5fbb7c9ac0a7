package io.whizbang.autoconfigure;

import java.util.Collection;

import io.whizbang.perspective.PerspectiveSignal;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.queue.QueueWorker;
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

	private final ObjectProvider<QueueWorker> queues;

	private final ObjectProvider<PerspectiveWorker> perspectives;

	private final int partitions;

	private volatile WorkSignal target = WorkSignal.NONE;

	DeferredWorkSignal(ObjectProvider<WorkPump> pumps, ObjectProvider<WorkNotifier> notifier,
			ObjectProvider<QueueWorker> queues, ObjectProvider<PerspectiveWorker> perspectives, int partitions) {
		this.pumps = pumps;
		this.notifier = notifier;
		this.queues = queues;
		this.perspectives = perspectives;
		this.partitions = partitions;
	}

	@Override
	public void afterSingletonsInstantiated() {
		WorkNotifier notifier = this.notifier.getIfAvailable();
		WorkSignal local = new LocalSignal(this.pumps.orderedStream().toList(), this.partitions, notifier);
		QueueWorker worker = this.queues.getIfAvailable();
		PerspectiveWorker perspectives = this.perspectives.getIfAvailable();
		this.target = (queue, hashes) -> {
			// All instances share the work queues: there is nobody's own part.
			if (queue == Queue.QUEUES && worker != null) {
				worker.changed();
			}
			else if (queue == Queue.PERSPECTIVES) {
				// No messages, but streams that are to be tried again.
				PerspectiveSignal.changed(perspectives, notifier);
			}
			else {
				local.raise(queue, hashes);
			}
		};
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.target.raise(queue, partitionHashes);
	}

}

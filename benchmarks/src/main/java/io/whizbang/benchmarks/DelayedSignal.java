package io.whizbang.benchmarks;

import java.util.Collection;

import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;

/**
 * A signal whose receiver comes later than its sender.
 */
final class DelayedSignal implements WorkSignal {

	volatile WorkSignal target = WorkSignal.NONE;

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.target.raise(queue, partitionHashes);
	}

}

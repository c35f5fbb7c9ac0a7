package io.whizbang.join;

import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;

/**
 * Tells this instance's worker that members have ended, or joins have changed.
 */
public final class JoinSignal implements WorkListener {

	private volatile Runnable worker = () -> {
	};

	@Override
	public void membersEnded(Queue queue) {
		raise();
	}

	void raise() {
		this.worker.run();
	}

	void wakes(Runnable worker) {
		this.worker = worker;
	}

}

package io.whizbang.join;

import io.whizbang.worker.EngineLifecycle;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the counting together with the workers of the queues.
 */
public final class JoinLifecycle extends EngineLifecycle {

	private final @Nullable JoinWorker worker;

	/**
	 * Creates a lifecycle.
	 * @param worker the worker, or {@code null} when somebody else counts
	 */
	public JoinLifecycle(@Nullable JoinWorker worker) {
		this.worker = worker;
	}

	@Override
	protected void begin() {
		if (this.worker != null) {
			this.worker.start();
		}
	}

	@Override
	protected void end() {
		if (this.worker != null) {
			this.worker.stop();
		}
	}

}

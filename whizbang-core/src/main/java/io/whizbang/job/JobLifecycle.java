package io.whizbang.job;

import io.whizbang.worker.EngineLifecycle;
import io.whizbang.worker.PostgresListener;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the jobs together with the workers of the queues.
 */
public final class JobLifecycle extends EngineLifecycle {

	private final @Nullable JobWorker worker;

	private final @Nullable PostgresListener listener;

	/**
	 * Creates a lifecycle.
	 * @param worker the worker, or {@code null} when somebody else starts it
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public JobLifecycle(@Nullable JobWorker worker, @Nullable PostgresListener listener) {
		this.worker = worker;
		this.listener = listener;
	}

	@Override
	protected void begin() {
		if (this.worker != null) {
			if (this.listener != null) {
				this.listener.wakes(this.worker);
			}
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

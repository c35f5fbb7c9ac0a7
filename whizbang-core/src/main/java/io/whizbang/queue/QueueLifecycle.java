package io.whizbang.queue;

import io.whizbang.worker.EngineLifecycle;
import io.whizbang.worker.PostgresListener;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the consumers of work queues together with the other workers.
 */
public final class QueueLifecycle extends EngineLifecycle {

	private final @Nullable QueueWorker worker;

	private final @Nullable PostgresListener listener;

	/**
	 * Creates a lifecycle.
	 * @param worker the worker, or {@code null} when somebody else starts it
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public QueueLifecycle(@Nullable QueueWorker worker, @Nullable PostgresListener listener) {
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

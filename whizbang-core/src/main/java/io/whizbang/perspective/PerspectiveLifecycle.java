package io.whizbang.perspective;

import io.whizbang.worker.EngineLifecycle;
import io.whizbang.worker.PostgresListener;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the perspectives together with the workers of the queues.
 */
public final class PerspectiveLifecycle extends EngineLifecycle {

	private final @Nullable PerspectiveWorker worker;

	private final @Nullable PostgresListener listener;

	/**
	 * Creates a lifecycle.
	 * @param worker the worker, or {@code null} when somebody else starts it
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public PerspectiveLifecycle(@Nullable PerspectiveWorker worker, @Nullable PostgresListener listener) {
		this.worker = worker;
		this.listener = listener;
	}

	/** Others are told that this instance leaves: whoever tells them stops after it. */
	@Override
	public int getPhase() {
		return PHASE + 1;
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

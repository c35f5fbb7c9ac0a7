package io.whizbang.fanout;

import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkerLifecycle;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the fan-outs together with the workers of the queues.
 */
public final class FanoutLifecycle implements SmartLifecycle {

	private final @Nullable FanoutWorker worker;

	private final @Nullable PostgresListener listener;

	private volatile boolean running;

	/**
	 * Creates a lifecycle.
	 * @param worker the worker, or {@code null} when somebody else starts it
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public FanoutLifecycle(@Nullable FanoutWorker worker, @Nullable PostgresListener listener) {
		this.worker = worker;
		this.listener = listener;
	}

	@Override
	public void start() {
		if (this.worker != null) {
			if (this.listener != null) {
				this.listener.wakes(this.worker);
			}
			this.worker.start();
		}
		this.running = true;
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.stop();
		}
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return WorkerLifecycle.PHASE;
	}

}

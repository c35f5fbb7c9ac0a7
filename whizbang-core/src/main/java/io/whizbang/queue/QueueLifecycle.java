package io.whizbang.queue;

import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkerLifecycle;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the consumers of work queues together with the other workers.
 */
public final class QueueLifecycle implements SmartLifecycle {

	private final @Nullable QueueWorker worker;

	private final @Nullable PostgresListener listener;

	private volatile boolean running;

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

	/**
	 * Consumers take their time to end: others of the same phase need not wait for it.
	 */
	@Override
	public void stop(Runnable callback) {
		Thread thread = new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "whizbang-stop");
		thread.setDaemon(true);
		thread.start();
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

package io.whizbang.worker;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Starts the workers after everything that their handlers use, and stops them before it.
 */
public final class WorkerLifecycle implements SmartLifecycle {

	/**
	 * Late enough for brokers and schedulers to be there, early enough for web servers to
	 * come after.
	 */
	public static final int PHASE = DEFAULT_PHASE - 4096;

	private final List<Worker> workers;

	private final @Nullable PostgresListener listener;

	private final @Nullable WorkNotifier notifier;

	private volatile boolean running;

	/**
	 * Creates a lifecycle.
	 * @param workers the workers
	 * @param listener hears announcements of other instances, or {@code null}
	 * @param notifier makes announcements to other instances, or {@code null}
	 */
	public WorkerLifecycle(Collection<Worker> workers, @Nullable PostgresListener listener,
			@Nullable WorkNotifier notifier) {
		this.workers = List.copyOf(workers);
		this.listener = listener;
		this.notifier = notifier;
	}

	@Override
	public void start() {
		if (this.notifier != null) {
			this.notifier.start();
			this.workers.forEach((worker) -> worker.pump().tellsOthers(this.notifier));
		}
		if (this.listener != null) {
			this.workers.forEach((worker) -> this.listener.wakes(worker.pump()));
			this.listener.start();
		}
		this.workers.forEach(Worker::start);
		this.running = true;
	}

	@Override
	public void stop() {
		this.workers.forEach(Worker::beginStop);
		this.workers.forEach(Worker::stop);
		if (this.listener != null) {
			this.listener.stop();
		}
		if (this.notifier != null) {
			this.notifier.stop();
		}
		this.running = false;
	}

	/**
	 * Draining takes its time: others of the same phase need not wait for it to begin.
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
		return PHASE;
	}

}

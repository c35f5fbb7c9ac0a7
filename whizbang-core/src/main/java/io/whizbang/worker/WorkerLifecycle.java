package io.whizbang.worker;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Starts the workers after everything that their handlers use, and stops them before it.
 */
public final class WorkerLifecycle extends EngineLifecycle {

	private final List<Worker> workers;

	private final @Nullable PostgresListener listener;

	private final @Nullable WorkNotifier notifier;

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
	protected void begin() {
		if (this.notifier != null) {
			this.notifier.start();
		}
		if (this.listener != null) {
			this.workers.forEach((worker) -> this.listener.wakes(worker.pump()));
			this.listener.start();
		}
		this.workers.forEach(Worker::start);
	}

	@Override
	protected void end() {
		this.workers.forEach(Worker::beginStop);
		this.workers.forEach(Worker::stop);
		if (this.listener != null) {
			this.listener.stop();
		}
		if (this.notifier != null) {
			this.notifier.stop();
		}
	}

}

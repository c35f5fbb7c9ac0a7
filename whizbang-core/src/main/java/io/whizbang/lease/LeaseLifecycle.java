package io.whizbang.lease;

import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkerLifecycle;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Releases the leases of an application that stops, after its workers have stopped.
 */
public final class LeaseLifecycle implements SmartLifecycle {

	/** Workers, schedulers and web servers come to an end before. */
	public static final int PHASE = WorkerLifecycle.PHASE - 1024;

	private final JdbcLeases leases;

	private final @Nullable PostgresListener listener;

	private volatile boolean running;

	/**
	 * Creates a lifecycle.
	 * @param leases what is released
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public LeaseLifecycle(JdbcLeases leases, @Nullable PostgresListener listener) {
		this.leases = leases;
		this.listener = listener;
	}

	@Override
	public void start() {
		if (this.listener != null) {
			this.listener.wakes(this.leases.hearer());
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.leases.releaseAll();
		this.running = false;
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

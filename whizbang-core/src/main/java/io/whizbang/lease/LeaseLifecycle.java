package io.whizbang.lease;

import io.whizbang.worker.WorkerLifecycle;

import org.springframework.context.SmartLifecycle;

/**
 * Releases the leases of an application that stops, after its workers have stopped.
 */
public final class LeaseLifecycle implements SmartLifecycle {

	/** Workers, schedulers and web servers come to an end before. */
	public static final int PHASE = WorkerLifecycle.PHASE - 1024;

	private final JdbcLeases leases;

	private volatile boolean running;

	public LeaseLifecycle(JdbcLeases leases) {
		this.leases = leases;
	}

	@Override
	public void start() {
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

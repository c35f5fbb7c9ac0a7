package io.whizbang.worker;

import org.springframework.context.SmartLifecycle;

/**
 * Starts what works in the background after everything that its handlers use, and stops
 * it before. For Whizbang's own features.
 */
public abstract class EngineLifecycle implements SmartLifecycle {

	/**
	 * Late enough for brokers and schedulers to be there, early enough for web servers to
	 * come after.
	 */
	public static final int PHASE = DEFAULT_PHASE - 4096;

	private volatile boolean running;

	/** Starts the work. */
	protected abstract void begin();

	/** Stops the work; returns when what is under way has ended. */
	protected abstract void end();

	@Override
	public final void start() {
		begin();
		this.running = true;
	}

	@Override
	public final void stop() {
		end();
		this.running = false;
	}

	/**
	 * Draining takes its time: others of the same phase need not wait for it to begin.
	 */
	@Override
	public final void stop(Runnable callback) {
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
	public final boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}

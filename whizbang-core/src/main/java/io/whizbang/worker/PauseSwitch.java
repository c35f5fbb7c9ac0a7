package io.whizbang.worker;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides whether a worker runs: somebody has started it, and nobody has paused it. For
 * Whizbang's own features.
 */
public final class PauseSwitch {

	private final Runnable begin;

	private final Runnable end;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile boolean started;

	private volatile boolean paused;

	/**
	 * Creates a switch, off.
	 * @param begin starts the worker, unless it runs
	 * @param end stops the worker, if it runs
	 */
	public PauseSwitch(Runnable begin, Runnable end) {
		this.begin = begin;
		this.end = end;
	}

	public void start() {
		change(() -> this.started = true);
	}

	public void stop() {
		change(() -> this.started = false);
	}

	public void pause() {
		change(() -> this.paused = true);
	}

	public void resume() {
		change(() -> this.paused = false);
	}

	/**
	 * Says what the worker is doing, for people.
	 * @param running whether it runs
	 * @return its state
	 */
	public String state(boolean running) {
		if (this.paused) {
			return running ? "pausing" : "paused";
		}
		return running ? "running" : "stopped";
	}

	private void change(Runnable what) {
		this.lock.lock();
		try {
			what.run();
			if (this.started && !this.paused) {
				this.begin.run();
			}
			else {
				this.end.run();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}

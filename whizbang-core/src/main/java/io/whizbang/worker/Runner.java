package io.whizbang.worker;

import java.time.Duration;

/**
 * A loop on a thread of its own. The thread is a daemon: whether an application ends is
 * not for its workers to decide.
 */
public final class Runner {

	private final WorkLoop loop;

	private final Thread thread;

	private Runner(WorkLoop loop, Thread thread) {
		this.loop = loop;
		this.thread = thread;
	}

	public static Runner start(String threadName, WorkLoop loop) {
		return start(threadName, loop, () -> {
		});
	}

	/**
	 * Starts a loop.
	 * @param threadName name of its thread
	 * @param loop the loop
	 * @param afterwards what the thread does when the loop was stopped
	 * @return the running loop
	 */
	public static Runner start(String threadName, WorkLoop loop, Runnable afterwards) {
		Thread thread = new Thread(() -> {
			loop.run();
			afterwards.run();
		}, threadName);
		thread.setDaemon(true);
		thread.start();
		return new Runner(loop, thread);
	}

	public void stop() {
		this.loop.stop();
	}

	public int failures() {
		return this.loop.failures();
	}

	/**
	 * Waits until the thread has ended.
	 * @param timeout how long at most
	 * @return whether it has
	 */
	public boolean join(Duration timeout) {
		try {
			this.thread.join(Math.max(1, timeout.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return !isAlive();
	}

	public boolean isAlive() {
		return this.thread.isAlive();
	}

}

package io.whizbang.test;

/**
 * Lets threads pass while it is open, and wait while it is closed.
 */
final class Gate {

	private boolean open = true;

	private int waiting;

	synchronized void pass() {
		this.waiting++;
		try {
			while (!this.open) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the test let it wait", ex);
		}
		finally {
			this.waiting--;
		}
	}

	synchronized void close() {
		this.open = false;
	}

	synchronized void open() {
		this.open = true;
		notifyAll();
	}

	void awaitWaiting(int count) {
		Await.until(() -> count + " calls waiting, of which there are " + waiting(), () -> waiting() >= count);
	}

	private synchronized int waiting() {
		return this.waiting;
	}

}

package io.whizbang.job;

/**
 * How a run stands. The numbers are stored and never change.
 */
public enum RunStatus {

	/** Waits for an instance that has the handler. */
	PENDING(0),

	/** Its handler runs. */
	RUNNING(1),

	/** Its handler has failed, or its instance has vanished, and it waits to go again. */
	RETRYING(2),

	/** Its handler has ended well, or its message is in the outbox. */
	SUCCEEDED(3),

	/** It has failed too often, or for good. */
	FAILED(4),

	/** Its time was missed, and the job's policy is to leave it out. */
	SKIPPED(5);

	private final int number;

	RunStatus(int number) {
		this.number = number;
	}

	int number() {
		return this.number;
	}

	static RunStatus of(int number) {
		return values()[number];
	}

}

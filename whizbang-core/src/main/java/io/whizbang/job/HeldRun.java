package io.whizbang.job;

import io.whizbang.worker.GuardedCall;

/**
 * A run under way here.
 */
final class HeldRun extends GuardedCall {

	private final ClaimedRun claimed;

	HeldRun(ClaimedRun claimed, long deadline) {
		super(deadline);
		this.claimed = claimed;
	}

	ClaimedRun claimed() {
		return this.claimed;
	}

	JobRun run() {
		return this.claimed.run();
	}

}

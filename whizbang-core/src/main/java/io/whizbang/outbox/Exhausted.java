package io.whizbang.outbox;

import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;

/**
 * What becomes of a message that has failed, or was lost to crashes, too often to be
 * tried again.
 */
final class Exhausted {

	private Exhausted() {
	}

	static Outcome outcome(Work work) {
		String lastError = work.lastError();
		return new Outcome.Dead(RetryPolicy.MAX_ATTEMPTS,
				(lastError != null) ? lastError : "failed %d times".formatted(work.attempts()));
	}

}

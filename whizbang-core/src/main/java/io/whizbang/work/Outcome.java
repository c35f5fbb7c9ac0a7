package io.whizbang.work;

import java.time.Duration;

/**
 * What became of a piece of work.
 */
public sealed interface Outcome {

	/**
	 * Says whether nothing later of the stream may start before an outcome is reported.
	 * @param outcome the outcome
	 * @return {@code false} when the message is out of the way
	 */
	static boolean stopsTheStream(Outcome outcome) {
		return !(outcome instanceof Done || outcome instanceof Dead);
	}

	/** It is done; the message goes away. */
	record Done() implements Outcome {
	}

	/**
	 * It failed and is tried again; the attempt counts.
	 *
	 * @param delay how long it waits, with its whole stream behind it
	 * @param error why, for people
	 */
	record Retry(Duration delay, String error) implements Outcome {
	}

	/**
	 * It could not even be tried (nobody handles its topic, the broker is down); it waits
	 * and no attempt counts.
	 *
	 * @param delay how long it waits, with its whole stream behind it
	 * @param reason why, for people
	 */
	record Postpone(Duration delay, String reason) implements Outcome {
	}

	/**
	 * It will never succeed; it goes to the dead letters and blocks nothing.
	 *
	 * @param reason one of a few fixed words, for filters
	 * @param error why, for people
	 * @param tried whether it was tried once more; then the attempt counts
	 */
	record Dead(String reason, String error, boolean tried) implements Outcome {

		public Dead(String reason, String error) {
			this(reason, error, true);
		}

		/**
		 * Returns the outcome of work that has failed, or was lost to crashes, too often
		 * to be tried again.
		 * @param work the work
		 * @return the outcome
		 */
		public static Dead exhausted(Work work) {
			String lastError = work.lastError();
			return new Dead(RetryPolicy.MAX_ATTEMPTS,
					(lastError != null) ? lastError : "failed %d times".formatted(work.attempts()), false);
		}

	}

	/** It was not started; it goes back, and no attempt counts. */
	record Release() implements Outcome {
	}

	Outcome DONE = new Done();

	Outcome RELEASE = new Release();

}

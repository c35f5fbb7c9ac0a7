package io.whizbang.work;

import java.time.Duration;

/**
 * What became of a piece of work.
 */
public sealed interface Outcome {

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
	 */
	record Dead(String reason, String error) implements Outcome {
	}

	/** It was not started; it goes back, and no attempt counts. */
	record Release() implements Outcome {
	}

	Outcome DONE = new Done();

	Outcome RELEASE = new Release();

}

package io.whizbang.job;

import java.time.Instant;

/**
 * A run that was just written.
 *
 * @param id its number
 * @param scheduledAt the time that it is for
 */
record FiredRun(long id, Instant scheduledAt) {

	/** Instead of a number: no run was written, because the job is just being changed. */
	static final long NOT_NOW = 0;

}

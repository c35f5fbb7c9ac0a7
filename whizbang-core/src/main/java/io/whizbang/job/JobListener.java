package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Hears what becomes of jobs, for metrics, logs and tests. Called on the worker's
 * threads: must be quick, and what it throws is ignored.
 */
public interface JobListener {

	/** Hears nothing. */
	JobListener NONE = new JobListener() {
	};

	/** A job was fired, and so many runs were written. */
	default void fired(String job, int runs) {
	}

	/** Times of a job were missed and get no run of their own; the latest of them. */
	default void missed(String job, Instant latest) {
	}

	/** The message of a job is in the outbox, so long after its time. */
	default void handedOver(String job, Duration lateness) {
	}

	/** A handler begins, so long after the time of its run. */
	default void started(JobRun run, Duration lateness) {
	}

	/** A handler has ended, and that is committed: with success, for now, or for good. */
	default void ended(JobRun run, RunStatus status, Duration took, @Nullable Throwable failure) {
	}

	/** A run was not this instance's any more when its handler ended. */
	default void lost(JobRun run) {
	}

	/** A round has failed. */
	default void roundFailed(Throwable failure) {
	}

}

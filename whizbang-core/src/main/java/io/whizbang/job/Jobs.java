package io.whizbang.job;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The jobs of all instances. What changes them takes part in the current transaction;
 * without one, each call is a transaction of its own.
 */
public interface Jobs {

	/** How many entries one call returns at most. */
	int MAX_PAGE = 1000;

	/**
	 * Creates a job, or changes the one that has its name. While the cadence stays what
	 * it was, so does the next time.
	 * @param definition what the job is
	 * @return what that has led to
	 */
	JobChange createOrUpdate(JobDefinition definition);

	/**
	 * Lets a job fire again that was disabled, from its next time on.
	 * @param name the job
	 */
	void enable(String name);

	/**
	 * Stops a job from firing, on all instances and until it is enabled again. Runs that
	 * are not over go on, and it can be triggered.
	 * @param name the job
	 */
	void disable(String name);

	/**
	 * Removes a job and its runs.
	 * @param name the job
	 * @return whether there was one
	 */
	boolean delete(String name);

	/**
	 * Adds a run for now; the job's cadence stays what it is. Where runs may not overlap,
	 * it waits for those before it.
	 * @param name the job
	 * @return the run's number
	 */
	default long triggerNow(String name) {
		return triggerNow(name, null);
	}

	/**
	 * Adds a run for now with a payload of its own.
	 * @param name the job
	 * @param payload what the run gets, or {@code null} for the job's payload
	 * @return the run's number
	 */
	long triggerNow(String name, @Nullable Object payload);

	/**
	 * Returns the jobs by name.
	 * @return the jobs, the first {@link #MAX_PAGE} of them
	 */
	default List<JobStatus> list() {
		return list(null, MAX_PAGE);
	}

	/**
	 * Returns a page of the jobs by name.
	 * @param after the last name of the page before, or {@code null}
	 * @param limit how many at most
	 * @return the jobs
	 */
	List<JobStatus> list(@Nullable String after, int limit);

	/**
	 * Finds a job.
	 * @param name its name
	 * @return the job, if there is one
	 */
	Optional<JobStatus> find(String name);

	/**
	 * Returns the newest runs of a job.
	 * @param name the job
	 * @param limit how many at most
	 * @return the runs, the newest first
	 */
	default List<RunRecord> runs(String name, int limit) {
		return runs(name, null, limit);
	}

	/**
	 * Returns a page of the runs of a job.
	 * @param name the job
	 * @param before the last number of the page before, or {@code null}
	 * @param limit how many at most
	 * @return the runs, the newest first
	 */
	List<RunRecord> runs(String name, @Nullable Long before, int limit);

}

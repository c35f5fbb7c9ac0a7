package io.whizbang.observation;

import io.micrometer.observation.Observation;

/**
 * A run of a job that its handler works on.
 */
public final class RunContext extends Observation.Context {

	private final String job;

	private final String jobTag;

	private final long run;

	private final int attempt;

	RunContext(String job, String jobTag, long run, int attempt) {
		this.job = job;
		this.jobTag = jobTag;
		this.run = run;
		this.attempt = attempt;
	}

	/**
	 * Returns which job runs.
	 * @return the job's name
	 */
	public String job() {
		return this.job;
	}

	/**
	 * Returns the value for a tag: the job, unless there were too many of them before.
	 * @return the job's name, or "other"
	 */
	public String jobTag() {
		return this.jobTag;
	}

	/**
	 * Returns which run it is.
	 * @return its number
	 */
	public long run() {
		return this.run;
	}

	/**
	 * Returns which try it is.
	 * @return the number, from 1
	 */
	public int attempt() {
		return this.attempt;
	}

}

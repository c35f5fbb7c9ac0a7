package io.whizbang.job;

/**
 * What becomes of times that passed while nobody could fire a job, or while a run of it
 * was not over. The numbers are stored and never change.
 */
public enum Misfire {

	/** One run, for the latest of them. */
	COALESCE(0),

	/** No run; the job goes on with its next time. */
	SKIP(1),

	/** A run for each of the latest, up to a number, the oldest first. */
	CATCH_UP(2);

	private final int number;

	Misfire(int number) {
		this.number = number;
	}

	int number() {
		return this.number;
	}

	static Misfire of(int number) {
		return values()[number];
	}

}

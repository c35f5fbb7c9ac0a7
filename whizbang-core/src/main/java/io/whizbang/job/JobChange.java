package io.whizbang.job;

/**
 * What a definition has led to.
 */
public enum JobChange {

	/** There was no such job. */
	CREATED,

	/** The job was another one before. */
	CHANGED,

	/** The job was just like that; its next time is what it was. */
	UNCHANGED

}

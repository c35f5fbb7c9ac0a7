package io.whizbang.perspective;

/**
 * A run as the database has it.
 *
 * @param id identity of this life of it
 * @param run what the application sees of it
 * @param serving whether it serves, or is being built beside the one that does
 * @param shards into how many parts it is divided
 */
record RunInfo(long id, PerspectiveRun run, boolean serving, int shards) {

	String name() {
		return this.run.name();
	}

}

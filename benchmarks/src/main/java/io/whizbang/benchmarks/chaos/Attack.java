package io.whizbang.benchmarks.chaos;

/** What happens to instances and to the database. */
enum Attack {

	START, KILL, STOP, FREEZE, END_SESSIONS, RESTART_DATABASE, CRASH_DATABASE;

	boolean isRare() {
		return this == END_SESSIONS || this == RESTART_DATABASE || this == CRASH_DATABASE;
	}

}

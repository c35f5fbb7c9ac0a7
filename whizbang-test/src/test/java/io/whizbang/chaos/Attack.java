package io.whizbang.chaos;

/**
 * What happens to instances and producers while they work.
 */
enum Attack {

	/** Another instance joins. */
	JOIN,

	/** An instance stops in good order. */
	LEAVE,

	/** An instance vanishes without a word, with its sessions. */
	KILL,

	/** An instance stands still, often longer than its leases last, and then goes on. */
	PAUSE,

	/** An instance loses its database sessions, wherever it is in a call. */
	CUT,

	/** A producer loses its database session, wherever it is in its transaction. */
	CUT_PRODUCER

}

package io.whizbang.inbox;

/**
 * What became of a message that arrived.
 */
public enum Receipt {

	/** It is new: it will be handled if the current transaction commits. */
	ACCEPTED,

	/** It was received before; nothing was stored. */
	DUPLICATE,

	/**
	 * Another message with the same identity was received before from the same source;
	 * nothing was stored, and the difference is counted and logged.
	 */
	CONFLICT

}

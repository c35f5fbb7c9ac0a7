package io.whizbang.join;

/**
 * How a join stands.
 */
public enum JoinStatus {

	/** It waits for its members. */
	OPEN,

	/** All expected members are done. */
	DONE,

	/**
	 * Members have failed: all others have ended as well, or it was not to wait for them.
	 */
	FAILED,

	/** Its deadline came first. */
	EXPIRED,

	/** Somebody has cancelled it; nothing followed. */
	CANCELLED;

	static JoinStatus of(int number) {
		return switch (number) {
			case 0 -> OPEN;
			case 1 -> DONE;
			case 2 -> FAILED;
			case 3 -> EXPIRED;
			case 4 -> CANCELLED;
			default -> throw new IllegalArgumentException("There is no status %d of joins".formatted(number));
		};
	}

}

package io.whizbang.chaos;

/**
 * Ends whatever a killed instance was doing.
 */
final class KilledException extends RuntimeException {

	KilledException() {
		super("Killed by the test");
	}

}

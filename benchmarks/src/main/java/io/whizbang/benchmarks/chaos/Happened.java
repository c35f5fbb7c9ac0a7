package io.whizbang.benchmarks.chaos;

import io.whizbang.event.EventType;

/**
 * An event of the storm.
 *
 * @param value a number that a fold over the stream depends on, and on its place there
 */
@EventType("happened")
record Happened(long value) {

	private static final long MODULUS = 2_147_483_647L;

	/** What a stream's fold becomes with this event. */
	static long fold(long before, long value) {
		return (before * 31 + value) % MODULUS;
	}

}

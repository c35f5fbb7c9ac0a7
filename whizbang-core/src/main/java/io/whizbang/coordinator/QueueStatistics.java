package io.whizbang.coordinator;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a queue stands. Counts end at {@link #LIMIT}: that many means at least that many.
 *
 * @param ready messages that may be claimed, or are
 * @param waiting messages that wait for their next try
 * @param parked messages behind those
 * @param scheduled messages whose time has not come
 * @param deadLetters messages that will not be tried again
 * @param claims batches in the hands of instances
 * @param oldest age of the oldest message that is ready or waits, or {@code null} when
 * there is none
 */
public record QueueStatistics(int ready, int waiting, int parked, int scheduled, int deadLetters, int claims,
		@Nullable Duration oldest) {

	/** Nobody reads a long queue to say how long it is. */
	public static final int LIMIT = 10_000;

}

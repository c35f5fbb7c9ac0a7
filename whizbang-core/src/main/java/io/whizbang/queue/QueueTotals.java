package io.whizbang.queue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How all work queues stand together. Counts end at {@link Queues#MAX_COUNT}, over all of
 * them.
 *
 * @param queues how many have messages or are paused
 * @param paused how many of them are paused
 * @param ready keys that could be taken now, and messages without one
 * @param waiting keys that wait for their next try
 * @param locked keys that somebody has
 * @param messages messages, but for those that are delayed
 * @param delayed messages whose time has not come
 * @param deadLetters messages that will not be tried again
 * @param oldest how long the first in line of any queue has been waiting, or {@code null}
 * when nobody is
 */
public record QueueTotals(int queues, int paused, int ready, int waiting, int locked, int messages, int delayed,
		int deadLetters, @Nullable Duration oldest) {

}

package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a work queue stands. Counts end at a limit that the caller gives.
 *
 * @param name its name
 * @param ready keys that could be taken now, and messages without one
 * @param waiting keys that wait for their next try
 * @param locked keys that somebody has
 * @param messages its messages, but for those that are delayed
 * @param delayed its messages among those that are due first
 * @param deadLetters its messages among the latest dead letters
 * @param oldest how long the first in line has been waiting, or {@code null} when nobody
 * is
 * @param pausedAt since when nothing is handed out, or {@code null}
 * @param pausedBy who wanted that, or {@code null}
 */
public record QueueStatus(String name, int ready, int waiting, int locked, int messages, int delayed, int deadLetters,
		@Nullable Duration oldest, @Nullable Instant pausedAt, @Nullable String pausedBy) {

	public boolean paused() {
		return this.pausedAt != null;
	}

}

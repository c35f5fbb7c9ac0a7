package io.whizbang.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Where looks at a queue may start, past what is dead.
 *
 * @param low no ready key has this place or a lower one
 * @param dueFrom nothing is due earlier; {@code null} when that is not known
 */
record QueueMarks(long low, @Nullable Instant dueFrom) {

	static final QueueMarks UNKNOWN = new QueueMarks(0, null);

}

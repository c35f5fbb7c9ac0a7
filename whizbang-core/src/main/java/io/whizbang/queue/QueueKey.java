package io.whizbang.queue;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A key of a work queue that is locked, or waits for its next try.
 *
 * @param id what the database knows it by
 * @param key the routing key, or {@code null} for a message that has none
 * @param locked whether somebody has it
 * @param failures how often in a row its batch failed or was lost
 * @param until when the lock expires, or when it may be tried again
 * @param lockedAt when it was locked, or {@code null}
 * @param holder who has it, or {@code null}
 */
public record QueueKey(UUID id, @Nullable String key, boolean locked, int failures, Instant until,
		@Nullable Instant lockedAt, @Nullable String holder) {
}

package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A candidate that is due.
 *
 * @param number which of the page, from 1 on
 * @param id identity of its message
 * @param windowStart where its window begins, or {@code null}
 * @param jitter how long it is delayed
 */
record PlannedSlice(int number, UUID id, @Nullable Instant windowStart, Duration jitter) {
}

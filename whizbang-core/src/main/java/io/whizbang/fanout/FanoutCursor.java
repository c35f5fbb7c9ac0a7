package io.whizbang.fanout;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a shard's work has come.
 *
 * @param topic the fan-out
 * @param workKey which work
 * @param shardKey whose work
 * @param completedUntil end of the last window that was completed, if any
 * @param completedAt when that was
 * @param plannedUntil end of the window of the slice that is under way, if any
 * @param plannedAt when the last slice was planned
 * @param plans how often that window was planned: more than once when a slice has died
 */
public record FanoutCursor(String topic, String workKey, String shardKey, @Nullable Instant completedUntil,
		@Nullable Instant completedAt, @Nullable Instant plannedUntil, Instant plannedAt, int plans) {
}

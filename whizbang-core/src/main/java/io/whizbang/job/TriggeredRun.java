package io.whizbang.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A run that somebody has triggered.
 *
 * @param id its number
 * @param topic where its message goes, or {@code null} when a handler runs
 * @param payload its payload as JSON, or {@code null}
 * @param payloadType what the job's payload was
 * @param at when that was
 */
record TriggeredRun(long id, @Nullable String topic, @Nullable String payload, @Nullable String payloadType,
		Instant at) {
}

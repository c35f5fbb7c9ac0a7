package io.whizbang.control;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A worker that somebody has paused on all instances.
 *
 * @param worker its name
 * @param pausedAt when, by the database's clock
 * @param by who
 * @param note why, or {@code null}
 */
public record PausedWorker(String worker, Instant pausedAt, String by, @Nullable String note) {
}

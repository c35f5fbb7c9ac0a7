package io.whizbang.job;

import org.jspecify.annotations.Nullable;

/**
 * A run whose instance has vanished.
 *
 * @param id its number
 * @param job its job
 * @param attempts how often it was started
 * @param failed whether that was often enough
 * @param instance where it ran
 */
record RecoveredRun(long id, String job, int attempts, boolean failed, @Nullable String instance) {
}

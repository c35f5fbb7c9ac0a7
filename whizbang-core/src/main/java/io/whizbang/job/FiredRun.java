package io.whizbang.job;

import java.time.Instant;

/**
 * A run that was just written.
 *
 * @param id its number
 * @param scheduledAt the time that it is for
 */
record FiredRun(long id, Instant scheduledAt) {
}

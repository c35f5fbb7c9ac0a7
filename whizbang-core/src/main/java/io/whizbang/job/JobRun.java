package io.whizbang.job;

import java.time.Instant;

/**
 * A run of a job, as its handler sees it.
 *
 * @param id its number
 * @param job the job
 * @param scheduledAt the time that it is for; of a triggered run, when that was
 * @param triggered whether somebody triggered it
 * @param attempt which try this is, from 1
 * @param token grows with every holder of the run; what is given to others together with
 * it lets them refuse one that was replaced
 */
public record JobRun(long id, String job, Instant scheduledAt, boolean triggered, int attempt, long token) {
}

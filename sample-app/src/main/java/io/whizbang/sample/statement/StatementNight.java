package io.whizbang.sample.statement;

import java.time.Instant;

/**
 * How the statements of a night went.
 *
 * @param until until when they go
 * @param written how many were written
 * @param failed how many have failed
 */
record StatementNight(Instant until, int written, int failed) {
}

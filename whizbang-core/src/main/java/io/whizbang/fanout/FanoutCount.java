package io.whizbang.fanout;

import org.jspecify.annotations.Nullable;

/**
 * What a run has come across.
 *
 * @param candidates how many candidates
 * @param planned how many of them were due
 * @param problem what was wrong with the first candidate that was left out, if any
 */
record FanoutCount(long candidates, long planned, @Nullable String problem) {
}

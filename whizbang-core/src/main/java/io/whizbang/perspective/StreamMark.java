package io.whizbang.perspective;

/**
 * Where a stream stands in a run.
 *
 * @param version version of the last event that was applied or passed
 * @param follows whether it follows the feed, or goes by itself after a failure
 */
record StreamMark(long version, boolean follows) {

}

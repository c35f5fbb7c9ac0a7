package io.whizbang.join;

/**
 * What is under way; not counted to the end when it is much.
 *
 * @param open joins that are open
 * @param reports reports that are not counted yet
 */
public record JoinCount(int open, int reports) {
}

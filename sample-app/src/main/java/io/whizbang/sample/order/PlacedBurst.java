package io.whizbang.sample.order;

/**
 * Orders that were just placed.
 *
 * @param placed how many
 */
record PlacedBurst(int placed) {
}

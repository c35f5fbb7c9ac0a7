package io.whizbang.sample.board;

import org.jspecify.annotations.Nullable;

/**
 * One order among many.
 *
 * @param state how far it has come
 * @param placedBy which instance of the shop took it
 * @param paidBy which one had it paid, or declined
 * @param confirmedBy which one confirmed it
 */
record Tile(OrderState state, @Nullable String placedBy, @Nullable String paidBy, @Nullable String confirmedBy) {
}

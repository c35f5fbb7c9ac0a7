package io.whizbang.sample.board;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * One order, with all its steps.
 *
 * @param id the order
 * @param customerId who placed it
 * @param articles what was ordered
 * @param total what it costs
 * @param state how far it has come
 * @param placedAt when it was placed
 * @param changedAt when its status has changed
 * @param attempts how often the card network was asked
 * @param letter the dead letter that its message has become
 * @param placedBy which instance of the shop took it
 * @param triedBy which one asked the card network last
 * @param paidBy the same, once the payment is received or declined
 * @param confirmedBy which one confirmed it
 */
record BoardOrder(UUID id, String customerId, String articles, BigDecimal total, OrderState state, Instant placedAt,
		@Nullable Instant changedAt, int attempts, @Nullable Long letter, @Nullable String placedBy,
		@Nullable String triedBy, @Nullable String paidBy, @Nullable String confirmedBy) {
}

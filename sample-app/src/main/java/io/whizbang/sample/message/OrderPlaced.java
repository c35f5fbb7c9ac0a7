package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.util.UUID;

/**
 * Says that a customer has placed an order.
 *
 * @param orderId the order
 * @param customerId who placed it
 * @param total what it costs
 */
public record OrderPlaced(UUID orderId, String customerId, BigDecimal total) {
}

package io.whizbang.sample.message;

import java.math.BigDecimal;
import java.util.UUID;

/**
 * Says that an order is paid.
 *
 * @param orderId the order
 * @param amount what was paid
 */
public record PaymentReceived(UUID orderId, BigDecimal amount) {
}

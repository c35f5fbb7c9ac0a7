package io.whizbang.sample.message;

import java.util.UUID;

/**
 * Says that an order will not be paid.
 *
 * @param orderId the order
 */
public record PaymentDeclined(UUID orderId) {
}

package io.whizbang.sample.order;

import java.util.UUID;

/**
 * Says that an order has waited long enough for its payment.
 *
 * @param orderId the order
 */
record PaymentOverdue(UUID orderId) {
}

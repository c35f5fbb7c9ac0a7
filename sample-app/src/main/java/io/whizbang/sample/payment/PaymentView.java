package io.whizbang.sample.payment;

/**
 * A payment as customers see it.
 *
 * @param status how far it has come
 * @param attempts how often the card network was asked
 */
public record PaymentView(PaymentStatus status, int attempts) {
}

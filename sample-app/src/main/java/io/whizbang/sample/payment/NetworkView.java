package io.whizbang.sample.payment;

/**
 * How the card network is.
 *
 * @param repaired whether everything can be paid
 */
record NetworkView(boolean repaired) {
}

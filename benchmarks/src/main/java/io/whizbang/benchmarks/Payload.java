package io.whizbang.benchmarks;

/**
 * What every message carries.
 *
 * @param number its number in the run
 * @param stream its ordering key
 * @param enqueuedNanos when its transaction began to commit, by the clock of this process
 * @param text something to carry
 */
public record Payload(int number, String stream, long enqueuedNanos, String text) {

	public static final String TEXT = "a payload of the size that an order with two or three lines has, give or take";

}

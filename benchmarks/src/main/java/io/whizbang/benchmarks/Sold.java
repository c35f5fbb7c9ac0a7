package io.whizbang.benchmarks;

import io.whizbang.event.EventType;

/**
 * What every event says.
 *
 * @param number its number in the run
 * @param product what was sold
 * @param amount for how much
 * @param text something to carry
 */
@EventType("sold")
record Sold(int number, String product, long amount, String text) {

	static Sold of(int number) {
		return new Sold(number, "product-" + number % 100, number % 1000, Payload.TEXT);
	}

}

package io.whizbang.sample.order;

/**
 * How far an order has come.
 */
enum OrderStatus {

	/** Committed; its message is on the way. */
	PLACED,

	/** Its message has arrived. */
	CONFIRMED

}

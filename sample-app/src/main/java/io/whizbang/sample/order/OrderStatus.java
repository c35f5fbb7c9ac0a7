package io.whizbang.sample.order;

/**
 * How far an order has come.
 */
enum OrderStatus {

	/** Committed; its payment is on the way. */
	PLACED,

	/** Paid. */
	CONFIRMED,

	/** Not paid, and it will not be. */
	DECLINED,

	/** Paid once, and then taken back. */
	CANCELLED

}

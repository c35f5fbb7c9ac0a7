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

	/** Taken back: by the customer who had paid it, or by the shop because nobody did. */
	CANCELLED

}

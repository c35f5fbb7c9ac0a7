package io.whizbang.sample.board;

/**
 * How far an order has come, a bit finer than its customer is told.
 */
enum OrderState {

	/** Nobody has tried to have it paid in vain yet. */
	PLACED,

	/** The card network was asked more than once. */
	FAILING,

	/** The card network will not be asked again, unless somebody replays the message. */
	DEAD,

	/** The till has decided, and the order has not heard of it yet. */
	PAID,

	/** Paid. */
	CONFIRMED,

	/** Not paid, and it will not be. */
	DECLINED,

	/** Taken back. */
	CANCELLED

}

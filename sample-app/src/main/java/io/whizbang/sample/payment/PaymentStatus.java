package io.whizbang.sample.payment;

/**
 * How far a payment has come.
 */
public enum PaymentStatus {

	/** The card network was asked and has not answered well yet. */
	WAITING,

	/** Paid. */
	RECEIVED,

	/** It will not be paid. */
	DECLINED

}

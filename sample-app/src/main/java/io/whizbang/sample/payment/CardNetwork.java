package io.whizbang.sample.payment;

import java.math.BigDecimal;

import io.whizbang.sample.message.OrderPlaced;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A stand-in for those who move the money, with the troubles of the real ones on order.
 */
@Component
class CardNetwork {

	/** An order with this article is paid at the fourth attempt. */
	static final String FLAKY = "flaky";

	/** An order with this article cannot be paid until somebody repairs the network. */
	static final String POISON = "poison";

	private static final int FLAKY_FAILURES = 3;

	private static final BigDecimal LIMIT = new BigDecimal(1000);

	private final JdbcClient jdbc;

	CardNetwork(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Charges the customer's card.
	 * @param placed what is to be paid
	 * @param attempt how often the network was asked, this time included
	 * @return whether the card was charged, or declined because it is too much
	 */
	boolean charge(OrderPlaced placed, int attempt) {
		if (placed.skus().contains(FLAKY) && attempt <= FLAKY_FAILURES) {
			throw new CardNetworkException("The card network does not answer");
		}
		if (placed.skus().contains(POISON) && !isRepaired()) {
			throw new CardNetworkException("The card network answers in tongues");
		}
		return placed.total().compareTo(LIMIT) <= 0;
	}

	/** All instances of the shop must know, so it is kept where all of them look. */
	boolean isRepaired() {
		return this.jdbc.sql("select repaired from card_network").query(Boolean.class).single();
	}

	void repair(boolean repaired) {
		this.jdbc.sql("update card_network set repaired = ?").param(repaired).update();
	}

}

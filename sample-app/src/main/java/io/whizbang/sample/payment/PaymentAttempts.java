package io.whizbang.sample.payment;

import java.util.UUID;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Counts how often the card network was asked, also when it was in vain, and notes which
 * instance of the shop was the last to ask.
 */
@Component
class PaymentAttempts {

	private final JdbcClient jdbc;

	private final String instance;

	PaymentAttempts(JdbcClient jdbc, @Value("${shop.instance}") String instance) {
		this.jdbc = jdbc;
		this.instance = instance;
	}

	/**
	 * Counts one more attempt, in a transaction of its own: that of a handler is undone
	 * when it fails.
	 * @param orderId the order
	 * @return which attempt it is, from 1
	 */
	@Transactional(propagation = Propagation.REQUIRES_NEW)
	int next(UUID orderId) {
		return this.jdbc.sql("""
				insert into payment_attempt (order_id, attempts, instance) values (?, 1, ?)
				on conflict (order_id) do update
				set attempts = payment_attempt.attempts + 1, instance = excluded.instance
				returning attempts""").params(orderId, this.instance).query(Integer.class).single();
	}

}

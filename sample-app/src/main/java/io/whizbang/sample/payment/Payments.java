package io.whizbang.sample.payment;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.whizbang.inbox.MessageHandler;
import io.whizbang.outbox.Outbox;
import io.whizbang.sample.message.OrderPlaced;
import io.whizbang.sample.message.PaymentDeclined;
import io.whizbang.sample.message.PaymentReceived;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Has orders paid, and tells what came of it.
 */
@Service
public class Payments {

	static final String TOPIC = "payments";

	private static final Logger logger = LoggerFactory.getLogger(Payments.class);

	private final JdbcClient jdbc;

	private final PaymentAttempts attempts;

	private final CardNetwork cards;

	private final Outbox outbox;

	Payments(JdbcClient jdbc, PaymentAttempts attempts, CardNetwork cards, Outbox outbox) {
		this.jdbc = jdbc;
		this.attempts = attempts;
		this.cards = cards;
		this.outbox = outbox;
	}

	/**
	 * Has an order paid. The payment, the message about it, and the end of the message
	 * that asked for it commit together, so all of that happens once.
	 */
	@MessageHandler(name = "payment")
	void pay(OrderPlaced placed) {
		UUID order = placed.orderId();
		int attempt = this.attempts.next(order);
		logger.info("Payment of order {} over {}: attempt {}", order, placed.total(), attempt);
		boolean paid = this.cards.charge(placed, attempt);
		this.jdbc.sql("insert into payment (order_id, amount, status) values (?, ?, ?)")
			.params(order, placed.total(), (paid ? PaymentStatus.RECEIVED : PaymentStatus.DECLINED).name())
			.update();
		this.outbox.enqueue(TOPIC, order.toString(),
				paid ? new PaymentReceived(order, placed.total()) : new PaymentDeclined(order));
	}

	/**
	 * Returns the payments of orders.
	 * @param orders the orders
	 * @return the payments by order; none for an order whose payment was not tried yet
	 */
	public Map<UUID, PaymentView> of(Collection<UUID> orders) {
		Map<UUID, PaymentView> payments = new HashMap<>();
		this.jdbc.sql("""
				select a.order_id, a.attempts, coalesce(p.status, 'WAITING') as status
				from payment_attempt a left join payment p using (order_id)
				where a.order_id = any (?)""").param(orders.toArray(UUID[]::new)).query((row) -> {
			PaymentStatus status = PaymentStatus.valueOf(row.getString("status"));
			payments.put(row.getObject("order_id", UUID.class), new PaymentView(status, row.getInt("attempts")));
		});
		return payments;
	}

}

package io.whizbang.sample.order;

import io.whizbang.outbox.OutboxHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Confirms orders whose message has arrived, on whichever instance of the shop that is.
 */
@Component
class OrderConfirmation {

	private static final Logger logger = LoggerFactory.getLogger(OrderConfirmation.class);

	private final Orders orders;

	private final String instance;

	OrderConfirmation(Orders orders, @Value("${spring.application.name}:${server.port:8080}") String instance) {
		this.orders = orders;
		this.instance = instance;
	}

	@OutboxHandler(topic = OrderService.TOPIC)
	@Transactional
	void confirm(OrderPlaced placed) {
		Order order = this.orders.findById(placed.orderId()).orElseThrow();
		if (order.confirm(this.instance)) {
			logger.info("Order {} over {} confirmed by {}", order.id(), placed.total(), this.instance);
		}
		else {
			logger.info("Order {} was confirmed before; a message may come twice", order.id());
		}
	}

}

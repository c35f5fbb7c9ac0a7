package io.whizbang.sample.order;

import java.util.List;
import java.util.UUID;

import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.message.StreamId;
import io.whizbang.sample.event.OrderEvent;
import io.whizbang.sample.message.PaymentDeclined;
import io.whizbang.sample.message.PaymentReceived;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Lets orders follow their payments, on whichever instance of the shop hears of them.
 */
@Component
class OrderConfirmation {

	private static final Logger logger = LoggerFactory.getLogger(OrderConfirmation.class);

	private final Orders orders;

	private final EventStore events;

	private final PaymentDeadline deadline;

	private final String instance;

	OrderConfirmation(Orders orders, EventStore events, PaymentDeadline deadline,
			@Value("${shop.instance}") String instance) {
		this.orders = orders;
		this.events = events;
		this.deadline = deadline;
		this.instance = instance;
	}

	@MessageHandler(name = "order-confirmation")
	void confirm(PaymentReceived received) {
		Order order = find(received.orderId());
		this.deadline.lift(order.id());
		if (!order.confirm(this.instance)) {
			logger.info("Order {} is paid too late: it is {}, and the money goes back", order.id(), order.status());
			return;
		}
		append(order, new OrderEvent.Paid(received.amount(), this.instance));
		logger.info("Order {} is paid with {} and confirmed by {}", order.id(), received.amount(), this.instance);
	}

	@MessageHandler(name = "order-decline")
	void decline(PaymentDeclined declined) {
		Order order = find(declined.orderId());
		this.deadline.lift(order.id());
		if (order.decline()) {
			append(order, new OrderEvent.Declined());
			logger.info("Order {} is declined, for want of a payment", order.id());
		}
	}

	private void append(Order order, OrderEvent event) {
		this.events.append(StreamId.of(order.id()), ExpectedVersion.any(), List.of(event));
	}

	private Order find(UUID id) {
		return this.orders.findById(id).orElseThrow(() -> new OrderNotFoundException(id));
	}

}

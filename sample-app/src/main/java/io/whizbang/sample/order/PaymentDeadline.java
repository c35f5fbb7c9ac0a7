package io.whizbang.sample.order;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.sample.event.OrderEvent;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Cancels orders that nobody pays in time. Every order has a timer, from the transaction
 * that places it to the one that hears of its payment.
 */
@Component
class PaymentDeadline {

	static final String TOPIC = "payment-overdue";

	private static final Logger logger = LoggerFactory.getLogger(PaymentDeadline.class);

	private final Timers timers;

	private final Orders orders;

	private final EventStore events;

	private final Duration patience;

	PaymentDeadline(Timers timers, Orders orders, EventStore events,
			@Value("${shop.payment-patience}") Duration patience) {
		this.timers = timers;
		this.orders = orders;
		this.events = events;
		this.patience = patience;
	}

	/** The orders wait for their payments from now on. */
	void set(List<UUID> orders) {
		this.timers.scheduleAll(orders.stream().map(this::timer).toList());
	}

	private NewTimer timer(UUID order) {
		return NewTimer.to(TOPIC, new PaymentOverdue(order)).key(key(order)).after(this.patience).build();
	}

	/** The order does not wait any more. */
	void lift(UUID order) {
		this.timers.cancel(key(order));
	}

	/** A payment may have come a moment before: then there is nothing left to do. */
	@OnTimer(TOPIC)
	@Transactional
	void overdue(PaymentOverdue overdue) {
		UUID id = overdue.orderId();
		Order order = this.orders.findById(id).orElseThrow(() -> new OrderNotFoundException(id));
		if (order.expire()) {
			this.events.append(StreamId.of(id), ExpectedVersion.any(), List.of(new OrderEvent.Expired()));
			logger.info("Order {} is cancelled: it was not paid within {}", id, this.patience);
		}
	}

	private static String key(UUID order) {
		return TOPIC + ":" + order;
	}

}

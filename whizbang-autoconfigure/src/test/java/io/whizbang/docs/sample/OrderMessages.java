package io.whizbang.docs.sample;

import java.time.Duration;
import java.util.List;

import io.whizbang.message.MessageId;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;

class OrderMessages {

	private final Outbox outbox;

	OrderMessages(Outbox outbox) {
		this.outbox = outbox;
	}

	MessageId remindTomorrow(String orderId, OrderPlaced placed) {
		// tag::options[]
		MessageId id = this.outbox.enqueue(OutboxMessage.to("reminders", placed)
			.stream(orderId)
			.header("tenant", "acme")
			.correlationId("checkout-17")
			.delay(Duration.ofHours(24))
			.build());
		// end::options[]
		return id;
	}

	void placeAll(List<OrderPlaced> orders) {
		// tag::bulk[]
		this.outbox.enqueueAll(orders.stream()
			.map((order) -> OutboxMessage.to("orders", order).stream(order.orderId()).build())
			.toList());
		// end::bulk[]
	}

}

package io.whizbang.docs.sample;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import io.whizbang.message.MessageId;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// tag::service[]
@Service
class OrderService {

	private final JdbcClient jdbc;

	private final Outbox outbox;

	OrderService(JdbcClient jdbc, Outbox outbox) {
		this.jdbc = jdbc;
		this.outbox = outbox;
	}

	@Transactional
	public void place(String orderId, String customer, BigDecimal total) {
		this.jdbc.sql("insert into orders (id, customer, total) values (?, ?, ?)")
			.params(orderId, customer, total)
			.update();
		this.outbox.enqueue("orders", orderId, new OrderPlaced(orderId, customer, total));
	}
	// end::service[]

	@Transactional
	public MessageId remindLater(String orderId, OrderPlaced placed) {
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

	@Transactional
	public void placeAll(List<OrderPlaced> orders) {
		// tag::bulk[]
		this.outbox.enqueueAll(orders.stream()
			.map((order) -> OutboxMessage.to("orders", order).stream(order.orderId()).build())
			.toList());
		// end::bulk[]
	}

}

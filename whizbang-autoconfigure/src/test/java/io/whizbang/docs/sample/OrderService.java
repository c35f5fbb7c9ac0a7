package io.whizbang.docs.sample;

import java.math.BigDecimal;

import io.whizbang.outbox.Outbox;

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

}
// end::service[]

package io.whizbang.sample.order;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.outbox.Outbox;
import io.whizbang.sample.message.OrderPlaced;
import io.whizbang.sample.payment.PaymentView;
import io.whizbang.sample.payment.Payments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes orders.
 */
@Service
class OrderService {

	static final String TOPIC = "orders";

	private static final Logger logger = LoggerFactory.getLogger(OrderService.class);

	private final Orders orders;

	private final Payments payments;

	private final Outbox outbox;

	OrderService(Orders orders, Payments payments, Outbox outbox) {
		this.orders = orders;
		this.payments = payments;
		this.outbox = outbox;
	}

	/**
	 * Stores an order together with the message that announces it: both, or neither.
	 * @param request what is ordered
	 * @return the order
	 */
	@Transactional
	OrderView place(PlaceOrder request) {
		Order order = this.orders.saveAndFlush(new Order(request.customerId(), request.lines()));
		List<String> skus = order.lines().stream().map(OrderLine::sku).toList();
		this.outbox.enqueue(TOPIC, order.id().toString(),
				new OrderPlaced(order.id(), order.customerId(), order.total(), skus));
		logger.info("Order {} placed by {}; {} is enqueued in the same transaction", order.id(), order.customerId(),
				OrderPlaced.class.getSimpleName());
		return OrderView.of(order, null);
	}

	@Transactional(readOnly = true)
	Optional<OrderView> find(UUID id) {
		return this.orders.findById(id).map((order) -> views(List.of(order)).get(0));
	}

	@Transactional(readOnly = true)
	List<OrderView> newest(int limit) {
		return views(this.orders.findByOrderByPlacedAtDescIdDesc(Limit.of(limit)));
	}

	private List<OrderView> views(List<Order> orders) {
		Map<UUID, PaymentView> found = this.payments.of(orders.stream().map(Order::id).toList());
		return orders.stream().map((order) -> OrderView.of(order, found.get(order.id()))).toList();
	}

}

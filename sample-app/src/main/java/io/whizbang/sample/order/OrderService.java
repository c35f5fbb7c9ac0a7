package io.whizbang.sample.order;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.outbox.Outbox;
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

	private final Outbox outbox;

	OrderService(Orders orders, Outbox outbox) {
		this.orders = orders;
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
		this.outbox.enqueue(TOPIC, order.id().toString(),
				new OrderPlaced(order.id(), order.customerId(), order.total()));
		logger.info("Order {} placed by {}; {} is enqueued in the same transaction", order.id(), order.customerId(),
				OrderPlaced.class.getSimpleName());
		return OrderView.of(order);
	}

	@Transactional(readOnly = true)
	Optional<OrderView> find(UUID id) {
		return this.orders.findById(id).map(OrderView::of);
	}

	@Transactional(readOnly = true)
	List<OrderView> newest(int limit) {
		return this.orders.findByOrderByPlacedAtDescIdDesc(Limit.of(limit)).stream().map(OrderView::of).toList();
	}

}

package io.whizbang.sample.order;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.whizbang.event.Appended;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.StreamAppend;
import io.whizbang.message.StreamId;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.sample.event.OrderEvent;
import io.whizbang.sample.message.OrderPlaced;
import io.whizbang.sample.payment.PaymentView;
import io.whizbang.sample.payment.Payments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
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

	private final OrderSummaries summaries;

	private final Outbox outbox;

	private final EventStore events;

	private final PaymentDeadline deadline;

	private final String instance;

	OrderService(Orders orders, Payments payments, OrderSummaries summaries, Outbox outbox, EventStore events,
			PaymentDeadline deadline, @Value("${shop.instance}") String instance) {
		this.orders = orders;
		this.payments = payments;
		this.summaries = summaries;
		this.outbox = outbox;
		this.events = events;
		this.deadline = deadline;
		this.instance = instance;
	}

	/**
	 * Stores an order together with the message that announces it, the event that tells
	 * of it, and the timer that waits for its payment: all, or nothing.
	 * @param request what is ordered
	 * @return the order
	 */
	@Transactional
	PlacedOrder place(PlaceOrder request) {
		Order order = this.orders.saveAndFlush(order(request));
		Appended appended = announce(List.of(order)).get(0);
		logger.info("Order {} placed by {}; {} is enqueued in the same transaction", order.id(), order.customerId(),
				OrderPlaced.class.getSimpleName());
		return new PlacedOrder(OrderView.of(order, null), appended);
	}

	/**
	 * Stores the same order several times, in one transaction.
	 * @param request what is ordered
	 * @param count how many times
	 */
	@Transactional
	void place(PlaceOrder request, int count) {
		announce(this.orders.saveAllAndFlush(Stream.generate(() -> order(request)).limit(count).toList()));
		logger.info("{} orders placed by {}", count, request.customerId());
	}

	private Order order(PlaceOrder request) {
		return new Order(request.customerId(), request.lines(), this.instance);
	}

	private List<Appended> announce(List<Order> placed) {
		this.outbox.enqueueAll(placed.stream().map(OrderService::message).toList());
		this.deadline.set(placed.stream().map(Order::id).toList());
		return this.events.appendAll(placed.stream().map(OrderService::event).toList());
	}

	private static OutboxMessage message(Order order) {
		List<String> skus = order.lines().stream().map(OrderLine::sku).toList();
		return OutboxMessage.to(TOPIC, new OrderPlaced(order.id(), order.customerId(), order.total(), skus))
			.stream(order.id().toString())
			.build();
	}

	private static StreamAppend event(Order order) {
		List<OrderEvent.Line> lines = order.lines()
			.stream()
			.map((line) -> new OrderEvent.Line(line.sku(), line.quantity(), line.price()))
			.toList();
		return StreamAppend.of(StreamId.of(order.id()), ExpectedVersion.none(),
				List.of(new OrderEvent.Placed(order.customerId(), order.total(), lines)));
	}

	/**
	 * Cancels an order that was paid. Of two who do that at once, one fails.
	 * @param id the order
	 * @return the event that tells of it
	 */
	@Transactional
	Appended cancel(UUID id) {
		Order order = this.orders.findById(id).orElseThrow(() -> new OrderNotFoundException(id));
		order.cancel();
		this.orders.flush();
		logger.info("Order {} is cancelled", id);
		return this.events.append(StreamId.of(id), ExpectedVersion.any(),
				List.of(new OrderEvent.Cancelled(order.total())));
	}

	/**
	 * Returns what the events of an order have told, which may be a moment ago.
	 * @param id the order
	 * @return the order
	 */
	@Transactional(readOnly = true)
	Optional<OrderView> summary(UUID id) {
		return this.summaries.findById(id).map((summary) -> summary.view(this.payments.of(List.of(id)).get(id)));
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

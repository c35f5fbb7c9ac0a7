package io.whizbang.sample.order;

import java.util.UUID;

import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.EntityPerspective;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import io.whizbang.sample.event.OrderEvent;

/**
 * Keeps the summaries of orders up to date. The entity manager does the writing.
 */
@Perspective(name = OrderSummaryPerspective.NAME)
class OrderSummaryPerspective implements EntityPerspective<OrderSummary, UUID> {

	static final String NAME = "order-summary";

	@On
	OrderSummary placed(OrderEvent.Placed placed, StoredEvent stored) {
		return new OrderSummary(stored.stream().value(), placed, stored.recordedAt());
	}

	@On
	void paid(OrderEvent.Paid paid, OrderSummary summary) {
		summary.confirm(paid.confirmedBy());
	}

	@On
	void declined(OrderEvent.Declined declined, OrderSummary summary) {
		summary.decline();
	}

	@On
	void expired(OrderEvent.Expired expired, OrderSummary summary) {
		summary.cancel();
	}

	@On
	void cancelled(OrderEvent.Cancelled cancelled, OrderSummary summary) {
		summary.cancel();
	}

}

package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.whizbang.sample.payment.PaymentView;
import org.jspecify.annotations.Nullable;

/**
 * An order as customers see it.
 *
 * @param id the order
 * @param customerId who placed it
 * @param status how far it has come
 * @param placedAt when it was placed
 * @param confirmedBy which instance of the shop confirmed it, or {@code null}
 * @param total what it costs
 * @param payment how far its payment has come, or {@code null} before it was tried
 * @param lines what was ordered
 */
record OrderView(UUID id, String customerId, OrderStatus status, @Nullable Instant placedAt,
		@Nullable String confirmedBy, BigDecimal total, @Nullable PaymentView payment, List<Line> lines) {

	static OrderView of(Order order, @Nullable PaymentView payment) {
		List<Line> lines = order.lines()
			.stream()
			.map((line) -> new Line(line.sku(), line.quantity(), line.price()))
			.toList();
		return new OrderView(order.id(), order.customerId(), order.status(), order.placedAt(), order.confirmedBy(),
				order.total(), payment, lines);
	}

	/**
	 * One article.
	 *
	 * @param sku the article
	 * @param quantity how many of it
	 * @param price what one costs
	 */
	record Line(String sku, int quantity, BigDecimal price) {
	}

}

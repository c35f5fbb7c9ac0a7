package io.whizbang.sample.event;

import java.math.BigDecimal;
import java.util.List;

import io.whizbang.event.EventType;

/**
 * Something that happened to an order. The order is the stream.
 */
public sealed interface OrderEvent {

	/**
	 * A customer has placed it.
	 *
	 * @param customerId who placed it
	 * @param total what it costs
	 * @param lines what was ordered
	 */
	@EventType("order-placed")
	record Placed(String customerId, BigDecimal total, List<Line> lines) implements OrderEvent {

		public Placed {
			lines = List.copyOf(lines);
		}

	}

	/**
	 * It was paid, and is confirmed with that.
	 *
	 * @param amount what was paid
	 * @param confirmedBy which instance of the shop confirmed it
	 */
	@EventType("order-paid")
	record Paid(BigDecimal amount, String confirmedBy) implements OrderEvent {
	}

	/**
	 * It was not paid, and it will not be.
	 */
	@EventType("order-declined")
	record Declined() implements OrderEvent {
	}

	/**
	 * It was not paid in time.
	 */
	@EventType("order-expired")
	record Expired() implements OrderEvent {
	}

	/**
	 * The customer does not want it any more, and gets the money back.
	 *
	 * @param amount what was paid
	 */
	@EventType("order-cancelled")
	record Cancelled(BigDecimal amount) implements OrderEvent {
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

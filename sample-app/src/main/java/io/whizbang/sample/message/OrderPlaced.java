package io.whizbang.sample.message;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/**
 * Says that a customer has placed an order.
 *
 * @param orderId the order
 * @param customerId who placed it
 * @param total what it costs
 * @param skus the articles
 */
public record OrderPlaced(UUID orderId, String customerId, BigDecimal total, List<String> skus) {

	public OrderPlaced {
		skus = List.copyOf(skus);
	}

}

package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.util.List;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;

/**
 * What a customer sends to place an order.
 *
 * @param customerId who orders
 * @param items what is ordered
 */
record PlaceOrder(@NotBlank @Size(max = 100) @Pattern(regexp = PRINTABLE, message = NOT_PRINTABLE) String customerId,
		@NotEmpty @Size(max = 100) List<@NotNull @Valid Item> items) {

	private static final String PRINTABLE = "\\P{Cntrl}*";

	private static final String NOT_PRINTABLE = "must not contain control characters";

	List<OrderLine> lines() {
		return this.items.stream().map(Item::line).toList();
	}

	/**
	 * One article.
	 *
	 * @param sku the article
	 * @param quantity how many of it
	 * @param price what one costs
	 */
	record Item(@NotBlank @Size(max = 100) @Pattern(regexp = PRINTABLE, message = NOT_PRINTABLE) String sku,
			@NotNull @Positive @Max(1000) Integer quantity,
			@NotNull @PositiveOrZero @Digits(integer = 8, fraction = 2) BigDecimal price) {

		private OrderLine line() {
			return new OrderLine(this.sku, this.quantity, this.price.setScale(2));
		}

	}

}

package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * One article of an order.
 */
@Entity
@Table(name = "order_line")
class OrderLine {

	@Id
	@GeneratedValue
	private @Nullable UUID id;

	private String sku = "";

	private int quantity;

	private BigDecimal price = BigDecimal.ZERO;

	/** For Hibernate. */
	protected OrderLine() {
	}

	OrderLine(String sku, int quantity, BigDecimal price) {
		this.sku = sku;
		this.quantity = quantity;
		this.price = price;
	}

	String sku() {
		return this.sku;
	}

	int quantity() {
		return this.quantity;
	}

	BigDecimal price() {
		return this.price;
	}

	BigDecimal total() {
		return this.price.multiply(BigDecimal.valueOf(this.quantity));
	}

}

package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.hibernate.annotations.CreationTimestamp;
import org.hibernate.annotations.SourceType;
import org.hibernate.annotations.UpdateTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * An order of a customer.
 */
@Entity
@Table(name = "customer_order")
class Order {

	@Id
	private UUID id = UUID.randomUUID();

	// Tells Spring Data that an order without one is new, though it has an identity.
	@Version
	private @Nullable Integer version;

	private String customerId = "";

	@Enumerated(EnumType.STRING)
	private OrderStatus status = OrderStatus.PLACED;

	@CreationTimestamp(source = SourceType.DB)
	private @Nullable Instant placedAt;

	// The board reads this, and the next, from the table.
	@UpdateTimestamp(source = SourceType.DB)
	@SuppressWarnings("unused")
	private @Nullable Instant changedAt;

	@SuppressWarnings("unused")
	private @Nullable String placedBy;

	private @Nullable String confirmedBy;

	@OneToMany(cascade = CascadeType.ALL)
	@JoinColumn(name = "order_id", nullable = false)
	@OrderColumn(name = "position")
	private List<OrderLine> lines = new ArrayList<>();

	/** For Hibernate. */
	protected Order() {
	}

	Order(String customerId, List<OrderLine> lines, String placedBy) {
		this.customerId = customerId;
		this.placedBy = placedBy;
		this.lines.addAll(lines);
	}

	/** Says whether it was still waiting for that. */
	boolean confirm(String by) {
		if (this.status != OrderStatus.PLACED) {
			return false;
		}
		this.status = OrderStatus.CONFIRMED;
		this.confirmedBy = by;
		return true;
	}

	/** Says whether it was still waiting for its payment. */
	boolean decline() {
		if (this.status != OrderStatus.PLACED) {
			return false;
		}
		this.status = OrderStatus.DECLINED;
		return true;
	}

	/** Says whether it was still waiting for its payment. */
	boolean expire() {
		if (this.status != OrderStatus.PLACED) {
			return false;
		}
		this.status = OrderStatus.CANCELLED;
		return true;
	}

	void cancel() {
		if (this.status != OrderStatus.CONFIRMED) {
			throw new OrderNotCancellableException(this);
		}
		this.status = OrderStatus.CANCELLED;
	}

	UUID id() {
		return this.id;
	}

	String customerId() {
		return this.customerId;
	}

	OrderStatus status() {
		return this.status;
	}

	@Nullable Instant placedAt() {
		return this.placedAt;
	}

	@Nullable String confirmedBy() {
		return this.confirmedBy;
	}

	List<OrderLine> lines() {
		return List.copyOf(this.lines);
	}

	BigDecimal total() {
		return this.lines.stream().map(OrderLine::total).reduce(BigDecimal.ZERO, BigDecimal::add);
	}

}

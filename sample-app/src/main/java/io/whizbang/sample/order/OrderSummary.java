package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.whizbang.sample.event.OrderEvent;
import io.whizbang.sample.payment.PaymentView;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * An order as customers see it, in one row: what its events have told so far.
 */
@Entity
@Table(name = "order_summary")
class OrderSummary {

	@Id
	private UUID id = new UUID(0, 0);

	private String customerId = "";

	@Enumerated(EnumType.STRING)
	private OrderStatus status = OrderStatus.PLACED;

	private Instant placedAt = Instant.EPOCH;

	private @Nullable String confirmedBy;

	private BigDecimal total = BigDecimal.ZERO;

	@JdbcTypeCode(SqlTypes.JSON)
	private List<OrderEvent.Line> lines = List.of();

	/** For Hibernate. */
	protected OrderSummary() {
	}

	OrderSummary(UUID id, OrderEvent.Placed placed, Instant placedAt) {
		this.id = id;
		this.customerId = placed.customerId();
		this.total = placed.total();
		this.lines = placed.lines();
		this.placedAt = placedAt;
	}

	void confirm(String by) {
		this.status = OrderStatus.CONFIRMED;
		this.confirmedBy = by;
	}

	void decline() {
		this.status = OrderStatus.DECLINED;
	}

	void cancel() {
		this.status = OrderStatus.CANCELLED;
	}

	OrderView view(@Nullable PaymentView payment) {
		List<OrderView.Line> shown = this.lines.stream()
			.map((line) -> new OrderView.Line(line.sku(), line.quantity(), line.price()))
			.toList();
		return new OrderView(this.id, this.customerId, this.status, this.placedAt, this.confirmedBy, this.total,
				payment, shown);
	}

}

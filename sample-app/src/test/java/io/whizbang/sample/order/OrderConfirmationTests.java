package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import io.whizbang.outbox.Outbox;
import io.whizbang.sample.message.PaymentReceived;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

// tag::context[]
@SpringBootTest
@PostgresTest
@WithManualWorker
class OrderConfirmationTests {

	private static final PlaceOrder REQUEST = new PlaceOrder("c-1",
			List.of(new PlaceOrder.Item("book", 2, new BigDecimal("10"))));

	@Autowired
	private OrderService orders;

	@Autowired
	private ManualWorker worker;

	@Autowired
	private DatabaseClock clock;

	@Autowired
	private Orders table;

	@Autowired
	private Outbox outbox;

	@Autowired
	private TransactionTemplate transaction;

	@Test
	void confirmsAnOrderWhenItIsPaid() {
		OrderView placed = this.orders.place(REQUEST).view();
		assertThat(placed.status()).isEqualTo(OrderStatus.PLACED);
		assertThat(this.worker.runUntilIdle()).extracting((ended) -> ended.work().envelope().topic())
			.containsExactly("orders", "orders", "payments", "payments");
		assertThat(this.orders.find(placed.id())).get().extracting(OrderView::status).isEqualTo(OrderStatus.CONFIRMED);
	}
	// end::context[]

	// tag::rollback[]
	@Test
	void announcesNothingOfAnOrderThatIsRolledBack() {
		this.transaction.executeWithoutResult((status) -> {
			this.orders.place(REQUEST);
			status.setRollbackOnly();
		});
		assertThat(this.worker.runUntilIdle()).isEmpty();
	}
	// end::rollback[]

	// tag::retry[]
	@Test
	void triesAgainUntilTheOrderIsThere() {
		Order order = new Order("c-1", REQUEST.lines(), "here");
		this.outbox.enqueue("payments", order.id().toString(), new PaymentReceived(order.id(), order.total()));
		assertThat(this.worker.runUntilIdle()).last()
			.extracting(ManualWorker.Ended::outcome)
			.isInstanceOf(Outcome.Retry.class);

		this.table.save(order);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.worker.runUntilIdle()).singleElement()
			.extracting(ManualWorker.Ended::outcome)
			.isEqualTo(Outcome.DONE);
	}
	// end::retry[]

}

package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.Receipt;
import io.whizbang.sample.message.OrderPlaced;
import io.whizbang.sample.payment.PaymentStatus;
import io.whizbang.sample.payment.PaymentView;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@PostgresTest
@WithManualWorker
class OrderPaymentTests {

	@Autowired
	private OrderService orders;

	@Autowired
	private ManualWorker worker;

	@Autowired
	private DatabaseClock clock;

	@Autowired
	private Inbox inbox;

	@Autowired
	private Orders table;

	@Test
	void isPaidWithTheFirstAttempt() {
		UUID order = place("book", "10");
		this.worker.runUntilIdle();
		assertThat(find(order).payment()).isEqualTo(new PaymentView(PaymentStatus.RECEIVED, 1));
	}

	@Test
	void declinesWhatIsTooMuch() {
		UUID order = place("yacht", "1000.01");
		this.worker.runUntilIdle();
		assertThat(find(order).status()).isEqualTo(OrderStatus.DECLINED);
		assertThat(find(order).payment()).isEqualTo(new PaymentView(PaymentStatus.DECLINED, 1));
	}

	@Test
	void isPaidOnceAfterFailures() {
		UUID order = place("flaky", "10");
		for (int attempt = 1; attempt <= 3; attempt++) {
			assertThat(this.worker.runUntilIdle()).last()
				.extracting(ManualWorker.Ended::outcome)
				.isInstanceOf(Outcome.Retry.class);
			assertThat(find(order).status()).isEqualTo(OrderStatus.PLACED);
			assertThat(find(order).payment()).isEqualTo(new PaymentView(PaymentStatus.WAITING, attempt));
			this.clock.advance(Duration.ofMinutes(1));
		}
		this.worker.runUntilIdle();
		assertThat(find(order).status()).isEqualTo(OrderStatus.CONFIRMED);
		assertThat(find(order).payment()).isEqualTo(new PaymentView(PaymentStatus.RECEIVED, 4));
	}

	@Test
	void isPaidOnceWhenItsMessageArrivesTwice() {
		UUID order = this.table.save(new Order("c-1", List.of(), "here")).id();
		IncomingMessage placed = IncomingMessage.from("elsewhere", "m-1")
			.topic("orders")
			.type(OrderPlaced.class.getName())
			.payload("{\"orderId\":\"%s\",\"customerId\":\"c-1\",\"total\":1,\"skus\":[]}".formatted(order))
			.build();
		assertThat(this.inbox.receive(placed)).isEqualTo(Receipt.ACCEPTED);
		this.worker.runUntilIdle();
		assertThat(this.inbox.receive(placed)).isEqualTo(Receipt.DUPLICATE);
		assertThat(this.worker.runUntilIdle()).isEmpty();
		assertThat(find(order).payment()).isEqualTo(new PaymentView(PaymentStatus.RECEIVED, 1));
	}

	private UUID place(String sku, String price) {
		return this.orders.place(new PlaceOrder("c-1", List.of(new PlaceOrder.Item(sku, 1, new BigDecimal(price)))))
			.id();
	}

	private OrderView find(UUID order) {
		return this.orders.find(order).orElseThrow();
	}

}

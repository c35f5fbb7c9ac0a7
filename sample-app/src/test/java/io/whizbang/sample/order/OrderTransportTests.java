package io.whizbang.sample.order;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import io.whizbang.message.Envelope;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RecordingTransport;
import io.whizbang.test.WithManualWorker;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

// tag::transport[]
@SpringBootTest(properties = "whizbang.outbox.routes.orders=recording")
@PostgresTest
@WithManualWorker
class OrderTransportTests {

	private static final PlaceOrder ORDER = new PlaceOrder("c-1",
			List.of(new PlaceOrder.Item("book", 1, BigDecimal.TEN)));

	@Autowired
	private OrderService orders;

	@Autowired
	private ManualWorker worker;

	@Autowired
	private DatabaseClock clock;

	@Autowired
	private RecordingTransport transport;

	@Test
	void sendsAnOrderOnceTheBrokerIsBack() {
		this.transport.disconnect();
		PlacedOrder order = this.orders.place(ORDER);
		this.worker.runUntilIdle();
		assertThat(this.transport.sent("orders")).isEmpty();

		this.transport.recover();
		this.clock.advance(Duration.ofSeconds(10));
		this.worker.runUntilIdle();
		assertThat(this.transport.sent("orders")).singleElement()
			.extracting(Envelope::payload)
			.asString()
			.contains(order.id().toString());
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Transports {

		@Bean
		RecordingTransport recordingTransport() {
			return new RecordingTransport();
		}

	}

}
// end::transport[]

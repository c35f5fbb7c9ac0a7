package io.whizbang.outbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.transport.SendResult;
import io.whizbang.transport.TransportStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnreachableTransportsTests {

	private static final SendResult UNREACHABLE = SendResult.unreachable(new IllegalStateException("no route to host"));

	private final AtomicLong nanos = new AtomicLong(-5);

	private final UnreachableTransports transports = new UnreachableTransports(this.nanos::get);

	@Test
	void letsEverybodyTryATransportThatWorks() {
		assertThat(this.transports.refuse("kafka")).isNull();
		assertThat(this.transports.refuse("kafka")).isNull();
		this.transports.report("kafka", List.of(SendResult.sent()));
		assertThat(this.transports.status("kafka")).isEqualTo(new TransportStatus("kafka", null, null));
	}

	@Test
	void letsOneAtATimeTryATransportThatCannotBeReached() {
		this.transports.report("kafka", List.of(SendResult.notSent(), UNREACHABLE));
		assertThat(this.transports.refuse("kafka")).isNull();
		assertThat(this.transports.refuse("kafka")).hasMessage("no route to host");
		assertThat(this.transports.refuse("rabbit")).isNull();
		this.transports.report("kafka", List.of(UNREACHABLE));
		assertThat(this.transports.refuse("kafka")).isNull();
		this.transports.report("kafka", List.of());
		assertThat(this.transports.refuse("kafka")).isNull();
	}

	@Test
	void tellsSinceWhenAndForgetsItAfterTheFirstSuccess() {
		this.transports.report("kafka", List.of(UNREACHABLE));
		this.nanos.addAndGet(Duration.ofSeconds(7).toNanos());
		this.transports.report("kafka", List.of(UNREACHABLE));
		this.transports.report("kafka", List.of(SendResult.failed(new IllegalStateException("too large"))));
		assertThat(this.transports.status("kafka")).isEqualTo(new TransportStatus("kafka", Duration.ofSeconds(7),
				"java.lang.IllegalStateException: no route to host"));
		this.transports.report("kafka", List.of(UNREACHABLE, SendResult.sent()));
		assertThat(this.transports.status("kafka").isReachable()).isTrue();
		assertThat(this.transports.refuse("kafka")).isNull();
		assertThat(this.transports.refuse("kafka")).isNull();
	}

}

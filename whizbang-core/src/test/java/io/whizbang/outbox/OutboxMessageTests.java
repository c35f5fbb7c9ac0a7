package io.whizbang.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OutboxMessageTests {

	@Test
	void needsOnlyATopicAndAPayload() {
		OutboxMessage message = OutboxMessage.to("orders", "paid").build();
		assertThat(message.topic()).isEqualTo("orders");
		assertThat(message.payload()).isEqualTo("paid");
		assertThat(message.type()).isEqualTo("java.lang.String");
		assertThat(message.id()).isNotNull();
		assertThat(message.stream()).isNull();
		assertThat(message.headers()).isEmpty();
	}

	@Test
	void takesEverythingElse() {
		MessageId id = MessageId.next();
		UUID stream = UUID.randomUUID();
		OutboxMessage message = OutboxMessage.to("orders", "paid")
			.id(id)
			.type("order-paid")
			.stream(stream)
			.header("tenant", "acme")
			.correlationId("c-1")
			.delay(Duration.ofSeconds(5))
			.build();
		assertThat(message.id()).isEqualTo(id);
		assertThat(message.type()).isEqualTo("order-paid");
		assertThat(message.stream()).isEqualTo(StreamId.of(stream));
		assertThat(message.headers()).containsEntry("tenant", "acme").containsEntry(HeaderNames.CORRELATION_ID, "c-1");
		assertThat(message.delay()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void refusesABlankOrOverlongTopic() {
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to(" ", 1).build())
			.withMessageContaining("topic");
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("x".repeat(256), 1).build())
			.withMessageContaining("256")
			.withMessageContaining("255");
		OutboxMessage.to("x".repeat(255), 1).build();
	}

	@Test
	void refusesAMissingPayload() {
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("orders", null).build())
			.withMessageContaining("payload")
			.withMessageContaining("orders");
	}

	@Test
	void refusesDelayAndTimeTogether() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> OutboxMessage.to("orders", 1).delay(Duration.ZERO).notBefore(Instant.ofEpochSecond(1)).build())
			.withMessageContaining("give one of them");
	}

	@Test
	void refusesTimesOutOfReach() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> OutboxMessage.to("orders", 1).delay(Duration.ofMillis(-1)).build())
			.withMessageContaining("delay");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> OutboxMessage.to("orders", 1).delay(Duration.ofSeconds(Long.MAX_VALUE)).build());
		assertThatIllegalArgumentException()
			.isThrownBy(() -> OutboxMessage.to("orders", 1).notBefore(Instant.MAX).build())
			.withMessageContaining("9999");
	}

	@Test
	void refusesWhatPostgresCannotStore() {
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("a\0b", 1).build())
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("a", 1).header("n", "\0").build())
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("a", 1).stream("a\0b").build())
			.withMessageContaining("U+0000");
	}

	@Test
	void refusesHeadersThatAreNotSmall() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> OutboxMessage.to("orders", 1).header("big", "x".repeat(20_000)).build())
			.withMessageContaining("move some into the payload");
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxMessage.to("orders", 1).header("", "x").build())
			.withMessageContaining("header name");
	}

}

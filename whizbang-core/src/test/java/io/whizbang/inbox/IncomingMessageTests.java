package io.whizbang.inbox;

import java.util.UUID;

import io.whizbang.inbox.IncomingMessage.Builder;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class IncomingMessageTests {

	private static Builder message() {
		return IncomingMessage.from("mail", "1").topic("orders").payload("{}");
	}

	@Test
	void needsOnlyWhereItCameFromATopicAndAPayload() {
		IncomingMessage message = message().build();
		assertThat(message.type()).isNull();
		assertThat(message.stream()).isNull();
		assertThat(message.headers()).isEmpty();
	}

	@Test
	void takesEverythingElse() {
		IncomingMessage message = message().type("Order")
			.stream("s")
			.header("tenant", "acme")
			.correlationId("c")
			.build();
		assertThat(message.type()).isEqualTo("Order");
		assertThat(message.stream()).isEqualTo(StreamId.of("s"));
		assertThat(message.headers()).containsEntry("tenant", "acme").containsEntry(HeaderNames.CORRELATION_ID, "c");
	}

	@Test
	void identityThatIsAUuidStaysItselfAndAnyOtherHasAlwaysTheSame() {
		UUID id = UUID.randomUUID();
		assertThat(
				IncomingMessage.from("mail", id.toString()).topic("orders").payload("{}").build().messageId().value())
			.isEqualTo(id);
		MessageId first = message().build().messageId();
		assertThat(message().build().messageId()).isEqualTo(first);
		assertThat(IncomingMessage.from("mail", "2").topic("orders").payload("{}").build().messageId())
			.isNotEqualTo(first);
	}

	@Test
	void refusesToBeBuiltWithoutATopicOrAPayload() {
		assertThatIllegalStateException().isThrownBy(() -> IncomingMessage.from("mail", "1").payload("{}").build())
			.withMessageContaining("Message 1 from mail has no topic");
		assertThatIllegalStateException().isThrownBy(() -> IncomingMessage.from("mail", "1").topic("orders").build())
			.withMessageContaining("Message 1 from mail has no payload");
	}

	@Test
	void refusesBlankNames() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> IncomingMessage.from(" ", "1").topic("t").payload("{}").build())
			.withMessageContaining("source");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> IncomingMessage.from("mail", "").topic("t").payload("{}").build())
			.withMessageContaining("id");
		assertThatIllegalArgumentException().isThrownBy(() -> message().topic(" ").build())
			.withMessageContaining("topic");
	}

	@Test
	void refusesWhatPostgresCannotStore() {
		assertThatIllegalArgumentException().isThrownBy(() -> message().payload("\0").build())
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> message().header("n", "\0").build())
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> message().stream("a\0b").build())
			.withMessageContaining("U+0000");
	}

}

package io.whizbang.message;

import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CurrentMessageTests {

	@Test
	void isTheInnermostMessageUntilItsScopeIsClosed() {
		Envelope outer = message();
		Envelope inner = message();
		assertThat(CurrentMessage.get()).isNull();
		CurrentMessage.Scope outerScope = CurrentMessage.open(outer);
		CurrentMessage.Scope innerScope = CurrentMessage.open(inner);
		assertThat(CurrentMessage.get()).isSameAs(inner);
		innerScope.close();
		assertThat(CurrentMessage.get()).isSameAs(outer);
		outerScope.close();
		assertThat(CurrentMessage.get()).isNull();
	}

	private static Envelope message() {
		return new Envelope(MessageId.next(), "topic", "Type", null, Map.of(), "{}", Instant.EPOCH);
	}

}

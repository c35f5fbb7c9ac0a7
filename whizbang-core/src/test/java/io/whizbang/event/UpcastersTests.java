package io.whizbang.event;

import java.util.List;

import io.whizbang.work.DefinitionException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpcastersTests {

	private static final EventTypeName CURRENT = new EventTypeName("order", 3);

	private static final Upcaster FIRST = Upcaster.of("order", 1,
			(payload) -> ((ObjectNode) payload).put("steps", "1→2"));

	private static final Upcaster SECOND = Upcaster.of("order", 2,
			(payload) -> ((ObjectNode) payload).put("steps", payload.path("steps").asString("") + " 2→3"));

	@Test
	void goOneVersionAtATime() {
		Upcasters upcasters = new Upcasters(List.of(SECOND, FIRST));
		assertThat(upcasters.upcast(new EventTypeName("order", 1), CURRENT, "{}")).isEqualTo("{\"steps\":\"1→2 2→3\"}");
		assertThat(upcasters.upcast(new EventTypeName("order", 2), CURRENT, "{}")).isEqualTo("{\"steps\":\" 2→3\"}");
	}

	@Test
	void leaveCurrentEventsAsTheyAre() {
		String json = "{ \"any\" : 1.10 }";
		assertThat(new Upcasters(List.of(FIRST, SECOND)).upcast(CURRENT, CURRENT, json)).isSameAs(json);
	}

	@Test
	void keepEveryDigit() {
		Upcasters upcasters = new Upcasters(List.of(FIRST, SECOND));
		assertThat(upcasters.upcast(new EventTypeName("order", 1), CURRENT,
				"{\"price\":12345678901234567890.1234567890,\"id\":98765432109876543210}"))
			.startsWith("{\"price\":12345678901234567890.1234567890,\"id\":98765432109876543210,");
	}

	@Test
	void sayWhichStepIsMissing() {
		assertThatExceptionOfType(EventTypeException.class)
			.isThrownBy(() -> new Upcasters(List.of(FIRST)).upcast(new EventTypeName("order", 1), CURRENT, "{}"))
			.withMessageContaining("no upcaster from order v2, and order v3 is wanted");
	}

	@Test
	void refuseEventsOfALaterRelease() {
		assertThatExceptionOfType(EventTypeException.class)
			.isThrownBy(() -> new Upcasters(List.of()).upcast(new EventTypeName("order", 4), CURRENT, "{}"))
			.withMessageContaining("order v4")
			.withMessageContaining("later release");
	}

	@Test
	void refuseTwoForTheSameStep() {
		assertThatExceptionOfType(DefinitionException.class)
			.isThrownBy(() -> new Upcasters(List.of(FIRST, SECOND, FIRST)))
			.withMessageContaining("two upcasters from order v1");
	}

}

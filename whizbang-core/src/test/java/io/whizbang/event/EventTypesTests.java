package io.whizbang.event;

import java.util.List;
import java.util.Map;

import io.whizbang.work.DefinitionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EventTypesTests {

	@Test
	void haveTheNamesOfTheirAnnotations() {
		EventTypes types = EventTypes.of(Placed.class, Paid.class);
		assertThat(types.nameOf(Placed.class)).isEqualTo(new EventTypeName("order-placed", 3));
		assertThat(types.nameOf(Paid.class)).isEqualTo(new EventTypeName("order-paid", 1));
		assertThat(types.classOf("order-placed")).isEqualTo(Placed.class);
		assertThat(types.knows("order-paid")).isTrue();
		assertThat(types.knows(Paid.class.getName())).isFalse();
	}

	@Test
	void haveTheNamesThatTheyAreGivenBeforeThoseOfTheirAnnotations() {
		EventTypes types = new EventTypes(List.of(Paid.class),
				Map.of(Paid.class, new EventTypeName("paid", 2), Plain.class, new EventTypeName("plain", 1)));
		assertThat(types.nameOf(Paid.class)).isEqualTo(new EventTypeName("paid", 2));
		assertThat(types.classOf("plain")).isEqualTo(Plain.class);
		assertThat(types.knows("order-paid")).isFalse();
	}

	@Test
	void refuseTwoClassesWithOneName() {
		assertThatExceptionOfType(DefinitionException.class)
			.isThrownBy(() -> EventTypes.of(Placed.class, PlacedBefore.class))
			.withMessageContaining("\"order-placed\" belongs to two classes")
			.withMessageContaining(Placed.class.getName())
			.withMessageContaining(PlacedBefore.class.getName())
			.withMessageContaining("Upcaster");
		assertThatExceptionOfType(DefinitionException.class).isThrownBy(
				() -> new EventTypes(List.of(Paid.class), Map.of(Plain.class, new EventTypeName("order-paid", 1))));
	}

	@Test
	void refuseClassesAndNamesThatTheyDoNotKnow() {
		EventTypes types = EventTypes.of(Paid.class);
		assertThatExceptionOfType(EventTypeException.class).isThrownBy(() -> types.nameOf(Plain.class))
			.withMessageContaining(Plain.class.getName() + " has no event type")
			.withMessageContaining("whizbang.events.types");
		assertThatExceptionOfType(EventTypeException.class).isThrownBy(() -> types.nameOf(Placed.class))
			.withMessageContaining("was not found when the application started");
		assertThatExceptionOfType(EventTypeException.class).isThrownBy(() -> types.classOf("order-placed"))
			.withMessageContaining("no class for the event type \"order-placed\"");
		assertThatIllegalArgumentException().isThrownBy(() -> EventTypes.of(Plain.class))
			.withMessageContaining("no annotation @EventType");
	}

	@Test
	void refuseBadNames() {
		assertThatIllegalArgumentException().isThrownBy(() -> new EventTypeName(" ", 1))
			.withMessageContaining("event type must not be blank");
		assertThatIllegalArgumentException().isThrownBy(() -> new EventTypeName("x".repeat(256), 1))
			.withMessageContaining("has 256 characters, more than 255; shorten it");
		assertThatIllegalArgumentException().isThrownBy(() -> new EventTypeName("order", 0))
			.withMessageContaining("must be at least 1 but is 0");
	}

	@EventType(value = "order-placed", version = 3)
	record Placed(int amount) {
	}

	@EventType("order-placed")
	record PlacedBefore(int amount) {
	}

	@EventType("order-paid")
	record Paid(int amount) {
	}

	record Plain(int amount) {
	}

}

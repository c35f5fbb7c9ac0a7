package io.whizbang.perspective;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class InterestTests {

	private static final String NAME = OrderCreated.class.getName();

	@Test
	void knowsEventsByTheirStoredName() {
		Interest interest = Interest.of("order-created");
		assertThat(interest.in("order-created", null)).isTrue();
		assertThat(interest.in("order-created", OrderCreated.class)).isTrue();
		assertThat(interest.in("order-created-v2", OrderCreatedV2.class)).isFalse();
		assertThat(interest.in("Order-Created", null)).isFalse();
	}

	@Test
	void knowsEventsByTheNameOfTheirClass() {
		assertThat(Interest.of(NAME).in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of(NAME.replace('$', '.')).in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of(NAME).in("order-created", OrderCreatedV2.class)).isFalse();
		assertThat(Interest.of(NAME).in("order-created", null)).isFalse();
	}

	@Test
	void knowsEventsByTheSimpleNameOfTheirClass() {
		Interest interest = Interest.of("OrderCreated");
		assertThat(interest.in("order-created", OrderCreated.class)).isTrue();
		assertThat(interest.in("com.acme.OrderCreated", null)).isTrue();
		assertThat(interest.in("com.acme.Orders$OrderCreated", null)).isTrue();
	}

	@Test
	void doesNotTakeALongerNameForTheName() {
		Interest interest = Interest.of("OrderCreated");
		assertThat(interest.in("order-created-v2", OrderCreatedV2.class)).isFalse();
		assertThat(interest.in("com.acme.OrderCreatedV2", null)).isFalse();
		assertThat(interest.in("com.acme.ReOrderCreated", null)).isFalse();
		assertThat(interest.in("OrderCreated.Deleted", null)).isFalse();
		assertThat(Interest.of("com.acme.OrderCreated").in("com.other.OrderCreated", null)).isFalse();
	}

	@Test
	void doesNotTakeTheNameForAPatternOfWhatIsWanted() {
		assertThat(Interest.of("order-created").in("order-*", null)).isFalse();
		assertThat(Interest.of("Order.Created").in("Order-Created", null)).isFalse();
	}

	@Test
	void knowsEventsByPatterns() {
		assertThat(Interest.of("order-*").in("order-created", null)).isTrue();
		assertThat(Interest.of("order-*").in("reorder-created", null)).isFalse();
		assertThat(Interest.of("*-created").in("order-created", null)).isTrue();
		assertThat(Interest.of("io.whizbang.*").in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of("com.acme.*").in("order-created", OrderCreated.class)).isFalse();
		assertThat(Interest.of("*").in("anything", null)).isTrue();
	}

	@Test
	void knowsEventsByWhatTheirClassExtendsOrImplements() {
		assertThat(Interest.of("OrderEvent").in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of("AnyEvent").in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of(OrderEvent.class).in("order-created", OrderCreated.class)).isTrue();
		assertThat(Interest.of(OrderEvent.class).in("other", String.class)).isFalse();
		assertThat(Interest.of(OrderEvent.class).in("order-created", null)).isFalse();
	}

	@Test
	void oneOfSeveralIsEnough() {
		Interest interest = Interest.of("order-created", "payment-*");
		assertThat(interest.in("order-created", null)).isTrue();
		assertThat(interest.in("payment-received", null)).isTrue();
		assertThat(interest.in("order-shipped", null)).isFalse();
		assertThat(Interest.everything().in("order-shipped", null)).isTrue();
	}

	@Test
	void refusesToWantNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> Interest.of(new String[0]))
			.withMessageContaining("Interest.everything()");
		assertThatIllegalArgumentException().isThrownBy(() -> Interest.of(new Class<?>[0]))
			.withMessageContaining("Interest.everything()");
		assertThatIllegalArgumentException().isThrownBy(() -> Interest.of(" "))
			.withMessageContaining("\"*\" stands for all");
	}

	interface AnyEvent {

	}

	interface OrderEvent extends AnyEvent {

	}

	record OrderCreated(String order) implements OrderEvent {
	}

	record OrderCreatedV2(String order) {
	}

}

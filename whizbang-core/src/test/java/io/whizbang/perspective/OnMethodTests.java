package io.whizbang.perspective;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.whizbang.event.EventMetadata;
import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.ScannerFixture.OrderEvent;
import io.whizbang.perspective.ScannerFixture.Paid;
import io.whizbang.perspective.ScannerFixture.ParcelSent;
import io.whizbang.perspective.ScannerFixture.Placed;
import io.whizbang.perspective.ScannerFixture.PlacedV2;
import io.whizbang.perspective.ScannerFixture.Shipped;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.whizbang.perspective.ScannerFixture.RUN;
import static io.whizbang.perspective.ScannerFixture.event;
import static io.whizbang.perspective.ScannerFixture.scan;
import static io.whizbang.perspective.ScannerFixture.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which method of a perspective gets an event, and with what.
 */
class OnMethodTests {

	private static final List<String> calls = new ArrayList<>();

	@BeforeEach
	void forget() {
		calls.clear();
	}

	@Test
	void methodsGetEventsOfTheClassTheyTake() throws Exception {
		PerspectiveHandler handler = scan(ByClass.class);
		assertThat(wants(handler, "order-placed", Placed.class)).isTrue();
		assertThat(wants(handler, "order-placed-v2", PlacedV2.class)).isFalse();
		assertThat(wants(handler, "order-lost", null)).isFalse();
		handler.apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("placed a");
	}

	@Test
	void parametersMayComeInAnyOrder() throws Exception {
		StoredEvent event = event(new Placed("a"));
		scan(EveryParameter.class).apply(event, RUN);
		assertThat(calls).containsExactly("orders S a user " + event.id());
	}

	@Test
	void theNearestClassWins() throws Exception {
		PerspectiveHandler handler = scan(Layers.class);
		handler.apply(event(new Placed("a")), RUN);
		handler.apply(event(new Paid("a")), RUN);
		handler.apply(event(new ParcelSent("a")), RUN);
		assertThat(calls).containsExactly("placed", "order event order-paid", "anything parcel-sent");
		assertThat(wants(handler, "any", null)).isTrue();
	}

	@Test
	void storedNameWinsOverClassAndClassOverPattern() throws Exception {
		PerspectiveHandler handler = scan(Named.class);
		handler.apply(event(new Placed("a")), RUN);
		handler.apply(event(new Paid("a")), RUN);
		handler.apply(event(new Shipped("a")), RUN);
		handler.apply(event(new ParcelSent("a")), RUN);
		assertThat(calls).containsExactly("by name", "by class", "by long pattern", "by simple name");
		assertThat(wants(handler, "parcel-lost", null)).isFalse();
	}

	@Test
	void failuresArriveAsTheyWereThrown() {
		PerspectiveHandler handler = scan(Failing.class);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> handler.apply(event(new Placed("a")), RUN))
			.withMessage("disk");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> handler.apply(event(new Paid("a")), RUN))
			.withMessage("wrong");
	}

	@Test
	void inheritedMethodsKnowTheirTypeArguments() throws Exception {
		PerspectiveHandler handler = scan(Inherited.class);
		assertThat(wants(handler, "order-paid", Paid.class)).isFalse();
		handler.apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("generic order-placed");
	}

	@Perspective(name = "orders")
	static class ByClass {

		@On
		void placed(Placed event) {
			calls.add("placed " + event.order());
		}

	}

	@Perspective(name = "orders")
	static class EveryParameter {

		@On
		void placed(PerspectiveRun run, StreamId stream, Placed event, EventMetadata metadata, StoredEvent stored) {
			calls.add(String.join(" ", run.name(), stream.key(), event.order(), metadata.user(), "" + stored.id()));
		}

	}

	@Perspective(name = "orders")
	static class Layers {

		@On
		void placed(Placed event) {
			calls.add("placed");
		}

		@On
		void any(OrderEvent event, StoredEvent stored) {
			calls.add("order event " + stored.type());
		}

		@On("*")
		void rest(StoredEvent stored) {
			calls.add("anything " + stored.type());
		}

	}

	@Perspective(name = "orders")
	static class Named {

		@On("order-placed")
		void name(StoredEvent event) {
			calls.add("by name");
		}

		@On
		void any(OrderEvent event) {
			calls.add("by class");
		}

		@On(types = "order-*")
		void pattern(StoredEvent event) {
			calls.add("by pattern");
		}

		@On(types = "order-s*")
		void longPattern(StoredEvent event) {
			calls.add("by long pattern");
		}

		@On(types = { "nothing", "ParcelSent" })
		void simple(Object event) {
			calls.add("by simple name");
		}

	}

	@Perspective(name = "orders")
	static class Failing {

		@On
		void placed(Placed event) throws IOException {
			throw new IOException("disk");
		}

		@On
		void paid(Paid event) {
			throw new AssertionError("wrong");
		}

	}

	abstract static class Generic<T> {

		@On
		void event(T event, StoredEvent stored) {
			calls.add("generic " + stored.type());
		}

	}

	@Perspective(name = "orders")
	static class Inherited extends Generic<Placed> {

	}

}

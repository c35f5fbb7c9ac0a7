package io.whizbang.perspective;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.ScannerFixture.OrderEvent;
import io.whizbang.perspective.ScannerFixture.Paid;
import io.whizbang.perspective.ScannerFixture.Placed;
import io.whizbang.perspective.ScannerFixture.Urgent;
import org.junit.jupiter.api.Test;

import static io.whizbang.perspective.ScannerFixture.refuses;

/**
 * What an application cannot start with, because a method makes no sense.
 */
class OnMethodRefusalTests {

	@Test
	void refusesMethodsOutsideOfPerspectives() {
		refuses("The @On " + Stray.class.getName() + ".placed is not in a perspective", Stray.class);
		refuses("The @OnReset " + StrayHook.class.getName() + ".reset is not in a perspective", StrayHook.class);
	}

	@Test
	void refusesABlankType() {
		refuses("The type \"\" of the @On", BlankType.class);
	}

	@Test
	void refusesMethodsThatCannotBeCalled() {
		refuses("must not be private", PrivateMethod.class);
		refuses("must not be static", StaticMethod.class);
		refuses("must return void", Returning.class);
	}

	@Test
	void refusesParametersThatItDoesNotKnow() {
		refuses("more than one parameter that could be the event", TwoEvents.class);
		refuses("it may take a PerspectiveRun, and a StreamId", WrongReset.class);
		refuses("it may take a PerspectiveRun only", WrongPrepare.class);
	}

	@Test
	void refusesMethodsThatSayNothingAboutTheirEvents() {
		refuses("says nothing about its events", Silent.class);
		refuses("takes an Object, which every event is", Greedy.class);
	}

	@Test
	void refusesClassesThatAreNoEvents() {
		refuses("there is no event type of that class", NoEvent.class);
	}

	@Test
	void refusesTwoMethodsThatAreEquallyGood() {
		refuses("could go to", Ambiguous.class);
		refuses("could go to", AmbiguousInterfaces.class);
		refuses("could go to", AmbiguousPatterns.class);
	}

	@Test
	void refusesTypesWhoseClassTheMethodDoesNotTake() {
		refuses("names the event type \"order-paid\", whose class", WrongClass.class);
	}

	static class Stray {

		@On
		void placed(Placed event) {
		}

	}

	static class StrayHook {

		@OnReset
		void reset() {
		}

	}

	@Perspective(name = "orders")
	static class BlankType {

		@On("")
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class PrivateMethod {

		@On
		private void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class StaticMethod {

		@On
		static void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class Returning {

		@On
		String placed(Placed event) {
			return event.order();
		}

	}

	@Perspective(name = "orders")
	static class TwoEvents {

		@On
		void placed(Placed event, Paid other) {
		}

	}

	@Perspective(name = "orders")
	static class WrongReset {

		@On
		void placed(Placed event) {
		}

		@OnReset
		void reset(String stream) {
		}

	}

	@Perspective(name = "orders")
	static class WrongPrepare {

		@On
		void placed(Placed event) {
		}

		@OnPrepare
		void prepare(StreamId stream) {
		}

	}

	@Perspective(name = "orders")
	static class Silent {

		@On
		void any(StoredEvent event) {
		}

	}

	@Perspective(name = "orders")
	static class Greedy {

		@On
		void any(Object event) {
		}

	}

	@Perspective(name = "orders")
	static class NoEvent {

		@On
		void any(NotAnEvent event) {
		}

	}

	record NotAnEvent(String text) {
	}

	@Perspective(name = "orders")
	static class Ambiguous {

		@On
		void one(Placed event) {
		}

		@On
		void other(Placed event, StoredEvent stored) {
		}

	}

	@Perspective(name = "orders")
	static class AmbiguousInterfaces {

		@On
		void order(OrderEvent event) {
		}

		@On
		void urgent(Urgent event) {
		}

	}

	@Perspective(name = "orders")
	static class AmbiguousPatterns {

		@On("order-*")
		void order(StoredEvent event) {
		}

		@On("*r-paid")
		void paid(StoredEvent event) {
		}

	}

	@Perspective(name = "orders")
	static class WrongClass {

		@On({ "order-placed", "order-paid" })
		void placed(Placed event) {
		}

	}

}

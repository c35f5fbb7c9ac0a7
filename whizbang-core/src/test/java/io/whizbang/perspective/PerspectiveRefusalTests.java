package io.whizbang.perspective;

import io.whizbang.perspective.ScannerFixture.Placed;
import org.junit.jupiter.api.Test;

import static io.whizbang.perspective.ScannerFixture.refuses;

/**
 * What an application cannot start with, because a perspective makes no sense.
 */
class PerspectiveRefusalTests {

	@Test
	void refusesTwoOfOneNameAndVersion() {
		refuses("two perspectives with the name \"orders\" and the version 1", Orders.class, SameName.class);
	}

	@Test
	void refusesAPerspectiveWithoutMethods() {
		refuses("has no method with @On", Empty.class);
	}

	@Test
	void refusesABlankName() {
		refuses("The name \" \" of the @Perspective " + Nameless.class.getName() + " is blank", Nameless.class);
	}

	@Test
	void refusesTwoHooksOfAKind() {
		refuses("have @OnReset, and one of them would be called", TwoResets.class);
	}

	@Test
	void refusesNumbersBelowOne() {
		refuses("The version of the perspective \"zero\"", VersionZero.class);
		refuses("The number of shards of the perspective \"zero\"", ShardsZero.class);
		refuses("The concurrency of the perspective \"zero\"", ConcurrencyZero.class);
	}

	@Test
	void refusesConcurrencyThatHasNothingToWorkOn() {
		refuses("leave it out for a global perspective", ConcurrentGlobal.class);
		refuses("give it more shards", MoreThanShards.class);
	}

	@Test
	void refusesAHandlerThatIsAnnotatedAsWell() {
		refuses("is a PerspectiveHandler and has @Perspective", AnnotatedHandler.class);
	}

	@Perspective(name = "orders")
	static class Orders {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class SameName {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "empty")
	static class Empty {

	}

	@Perspective(name = " ")
	static class Nameless {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class TwoResets {

		@On
		void placed(Placed event) {
		}

		@OnReset
		void reset() {
		}

		@OnReset
		void resetToo(PerspectiveRun run) {
		}

	}

	@Perspective(name = "zero", version = 0)
	static class VersionZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "zero", shards = 0)
	static class ShardsZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "zero", concurrency = 0)
	static class ConcurrencyZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders", global = true, concurrency = 2)
	static class ConcurrentGlobal {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders", shards = 2, concurrency = 3)
	static class MoreThanShards {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "own")
	static class AnnotatedHandler extends PerspectiveScannerTests.OwnHandler {

		@On
		void placed(Placed event) {
		}

	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What serves is emptied and filled by code of its own version, whoever asks for it: each
 * version has a model of its own, as one with another entity has.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class VersionTests {

	private static final int EVENTS = 60;

	private static final PerspectiveSettings SETTINGS = PerspectiveFixture.SETTINGS.withPages(10, 2)
		.withRetireAfter(Duration.ofHours(1));

	private final PerspectiveFixture fixture;

	/** Lets the new version be filled to its end. */
	private final CountDownLatch goOn = new CountDownLatch(1);

	VersionTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		for (int i = 0; i < 10; i++) {
			this.fixture.append("s-" + i, EVENTS / 10);
		}
	}

	@AfterEach
	void close() {
		this.goOn.countDown();
		this.fixture.close();
	}

	@Test
	void whoHasOnlyTheNewVersionLeavesTheOldOneAloneWhileThatServes() {
		PerspectiveInstance old = this.fixture.start(SETTINGS, first());
		this.fixture.awaitApplied("p", 1, EVENTS);
		PerspectiveInstance young = this.fixture.start(SETTINGS, second());
		Await.until("the new version is being built",
				() -> this.fixture.count("select count(*) from applied where run = 2") > 0);
		assertThatIllegalStateException().isThrownBy(() -> young.perspectives.replay("p", StreamId.of("s-3")))
			.withMessageContaining("version 1")
			.withMessageContaining("wait for the switch");
		assertThatIllegalStateException().isThrownBy(() -> young.perspectives.rebuild("p"))
			.withMessageContaining("version 1")
			.withMessageContaining("wait for the switch");
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspectives")).as("runs").isEqualTo(2);
		assertBothAreWhole(young);
		assertThat(old.worker.consecutiveFailures()).isZero();
	}

	@Test
	void whoHasBothVersionsReplaysAndRebuildsTheOneThatServes() {
		PerspectiveInstance both = this.fixture.start(SETTINGS, first(), second());
		this.fixture.awaitApplied("p", 1, EVENTS);
		Await.until("the new version is being built",
				() -> this.fixture.count("select count(*) from applied where run = 2") > 0);
		both.perspectives.replay("p", StreamId.of("s-3"));
		Await.until("the stream follows", () -> this.fixture.status("s-3") == 0);
		both.perspectives.rebuild("p");
		assertThat(both.perspectives.status("p")).extracting((status) -> status.run().version()).contains(1, 2);
		this.fixture.awaitApplied("p", 1, EVENTS);
		assertBothAreWhole(both);
	}

	@Test
	void whoHasOnlyTheOldVersionDoesNotBringItBackAfterTheSwitch() {
		PerspectiveInstance old = this.fixture.start(SETTINGS, first());
		this.fixture.awaitApplied("p", 1, EVENTS);
		PerspectiveInstance young = this.fixture.start(SETTINGS, second());
		assertBothAreWhole(young);
		assertThatIllegalStateException().isThrownBy(() -> old.perspectives.rebuild("p"))
			.withMessageContaining("version 2")
			.withMessageContaining("an instance that has it");
		assertThatIllegalStateException().isThrownBy(() -> old.perspectives.replay("p", StreamId.of("s-3")))
			.withMessageContaining("version 2");
		assertThatIllegalStateException().isThrownBy(() -> old.perspectives.rebuildBeside("p"))
			.withMessageContaining("version 2");
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspectives where status < 2")).isEqualTo(1);
		this.fixture.append("s-3", 1);
		this.fixture.awaitApplied("p", 2, EVENTS + 1);
		assertThat(this.fixture.faults("p", 2)).isEmpty();
		young.perspectives.rebuild("p");
		Await.until("the rebuild", () -> this.fixture.count("select count(*) from whizbang.wh_perspectives") == 3);
		this.fixture.awaitApplied("p", 2, EVENTS + 1);
		assertThat(this.fixture.faults("p", 2)).isEmpty();
	}

	@Test
	void whoHasOnlyTheOldVersionLeavesARunOfANewerOneToItsOwnCode() {
		List<String> retired = new CopyOnWriteArrayList<>();
		PerspectiveInstance old = this.fixture.start(retiring(1, retired));
		this.fixture.awaitApplied("p", 1, EVENTS);
		// A release with the second version came, and another one with the third instead.
		for (int version = 2; version <= 3; version++) {
			this.fixture.jdbc.execute("select whizbang.open_perspective('p', %d, 16)".formatted(version));
		}
		old.perspectives.rebuild("p");
		Await.until("a rebuild", () -> this.fixture
			.count("select count(*) from whizbang.wh_perspectives where version = 1 and status = 2") == 1);
		this.fixture.jdbc.update("update whizbang.wh_perspectives set retired_at = retired_at - interval '1 hour'");
		Await.until(() -> "the old run's end; " + this.fixture.standing(), () -> this.fixture
			.count("select count(*) from whizbang.wh_perspectives where version = 1 and cleaned") == 1);
		assertThat(retired).isEmpty();
		this.fixture.start(retiring(3, retired));
		Await.until(() -> "the newer run's end; " + this.fixture.standing(),
				() -> retired.contains("3 cleans up after 2"));
		assertThat(retired).doesNotContain("1 cleans up after 2");
	}

	@Test
	void aRunThatCannotBeCleanedUpKeepsNoOtherFromIt() {
		List<String> retired = new CopyOnWriteArrayList<>();
		PerspectiveInstance instance = this.fixture.start(retiring(1, retired), new RecordingPerspective("broken") {
			@Override
			public void retire(PerspectiveRun run) {
				retired.add("broken");
				throw new IllegalStateException("cannot drop it");
			}
		});
		this.fixture.awaitApplied("p", 1, EVENTS);
		this.fixture.awaitApplied("broken", 1, EVENTS);
		for (String name : List.of("broken", "p")) {
			instance.perspectives.rebuildBeside(name);
			Await.until("the switch", () -> instance.perspectives.status(name).get(0).run().run() == 2);
		}
		this.fixture.jdbc.update("update whizbang.wh_perspectives set retired_at = retired_at - interval '1 hour'");
		Await.until(() -> "the end of the other; " + retired, () -> retired.contains("1 cleans up after 1"));
		assertThat(retired).as("it was tried first").startsWith("broken");
	}

	@Test
	void codeThatWantsOtherShardsIsToldThatItsRunKeepsThose(CapturedOutput output) {
		PerspectiveInstance first = this.fixture.start(SETTINGS, new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 1, EVENTS);
		first.worker.stop();
		PerspectiveInstance second = this.fixture.start(SETTINGS, new RecordingPerspective("p").asGlobal());
		Await.until("it holds all", () -> second.worker.shards() == 16);
		Await.until("the log says so", () -> output.getOut().contains("keeps them, though its code says 1 by now"));
		assertThat(output).contains("not global").contains("rebuild it, or raise its version");
		second.perspectives.rebuild("p");
		Await.until("it holds the only one", () -> second.worker.shards() == 1);
		this.fixture.awaitApplied("p", 1, EVENTS);
		assertThat(output.getOut()).containsOnlyOnce("keeps them, though");
	}

	private static RecordingPerspective retiring(int version, List<String> retired) {
		return new RecordingPerspective("p") {
			@Override
			public void retire(PerspectiveRun run) {
				retired.add(version() + " cleans up after " + run.version());
			}
		}.version(version);
	}

	private void assertBothAreWhole(PerspectiveInstance young) {
		assertThat(this.fixture.faults("p", 1)).as("faults of the old model").isEmpty();
		this.goOn.countDown();
		Await.until(() -> "the switch; " + this.fixture.standing(),
				() -> young.perspectives.status("p").get(0).run().version() == 2);
		this.fixture.awaitApplied("p", 2, EVENTS);
		assertThat(this.fixture.faults("p", 2)).as("faults of the new model").isEmpty();
		assertThat(this.fixture.faults("p", 1)).as("faults of the old model").isEmpty();
	}

	private RecordingPerspective first() {
		return new OwnModel(1);
	}

	/** Stands still in the middle until it may go on. */
	private RecordingPerspective second() {
		return new OwnModel(2).before((event, run) -> {
			if (event.version() == 4) {
				this.goOn.await();
			}
		});
	}

	/** Knows its model by its version, and not by the run. */
	private static final class OwnModel extends RecordingPerspective {

		OwnModel(int version) {
			super("p");
			version(version);
		}

		@Override
		void write(StoredEvent event, PerspectiveRun run) {
			super.write(event, model());
		}

		@Override
		public void reset(PerspectiveRun run) {
			super.reset(model());
		}

		@Override
		public void resetStream(StreamId stream, PerspectiveRun run) {
			super.resetStream(stream, model());
		}

		private PerspectiveRun model() {
			return new PerspectiveRun(name(), version(), version());
		}

	}

}

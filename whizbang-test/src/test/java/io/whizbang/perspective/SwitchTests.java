package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run that was built beside another one serves when nothing is missing in it, which
 * streams that have stopped decide too.
 */
@PostgresTest
class SwitchTests {

	private static final Operator ADA = Operator.named("ada").noting("it was broken");

	private static final int STREAMS = 10;

	private final PerspectiveFixture fixture;

	private final List<String> switches = new CopyOnWriteArrayList<>();

	/** Whether the second event of a stream fails in the second run. */
	private final AtomicBoolean brokenInTheSecond = new AtomicBoolean();

	/** Version of the event that fails in every run. */
	private final AtomicInteger broken = new AtomicInteger();

	SwitchTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		for (int i = 0; i < STREAMS; i++) {
			this.fixture.append("s-" + i, 3);
		}
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aStreamThatWaitsInTheNewRunOnlyHoldsTheSwitchBackUntilItGoesOn() {
		PerspectiveInstance instance = start(Integer.MAX_VALUE);
		this.fixture.awaitApplied("p", 3 * STREAMS);
		this.brokenInTheSecond.set(true);
		instance.perspectives.rebuildBeside("p");
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 2);
		assertHeldBack(instance, 3 * STREAMS, 1, 0);
		this.brokenInTheSecond.set(false);
		awaitSwitch();
		assertWhole(3 * STREAMS + 1);
	}

	@Test
	void aStreamThatIsDeadInTheNewRunOnlyHoldsTheSwitchBackUntilItIsRetried() {
		PerspectiveInstance instance = start(2);
		this.fixture.awaitApplied("p", 3 * STREAMS);
		this.brokenInTheSecond.set(true);
		instance.perspectives.rebuildBeside("p");
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 2);
		assertHeldBack(instance, 3 * STREAMS, 0, 1);
		assertThat(instance.perspectives.stopped("p", null, 10)).singleElement().satisfies((stopped) -> {
			assertThat(stopped.run().run()).isEqualTo(2);
			assertThat(stopped.stream()).isEqualTo(StreamId.of("s-4"));
			assertThat(stopped.dead()).isTrue();
		});
		this.brokenInTheSecond.set(false);
		assertThat(instance.perspectives.retry("p", StreamId.of("s-4"), ADA)).isTrue();
		awaitSwitch();
		assertWhole(3 * STREAMS + 1);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_dead_letters")).isZero();
	}

	@Test
	void aStreamThatIsDeadInTheNewRunOnlyHoldsTheSwitchBackUntilItsEventIsSkipped() {
		PerspectiveInstance instance = start(2);
		this.fixture.awaitApplied("p", 3 * STREAMS);
		this.brokenInTheSecond.set(true);
		instance.perspectives.rebuildBeside("p");
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 2);
		assertHeldBack(instance, 3 * STREAMS, 0, 1);
		assertThat(instance.perspectives.skip("p", StreamId.of("s-4"), 2, ADA)).isTrue();
		awaitSwitch();
		this.fixture.awaitApplied("p", 2, 3 * STREAMS);
		assertThat(this.fixture.applied("p", 2)).contains("s-4/1", "s-4/3").doesNotContain("s-4/2");
	}

	@Test
	void aStreamThatIsDeadInBothHoldsNothingBackAndStaysDead() {
		this.broken.set(2);
		PerspectiveInstance instance = start(2);
		this.fixture.awaitApplied("p", 3 * STREAMS - 2);
		Await.until("the death", () -> this.fixture.status("s-4") == 2);
		instance.perspectives.rebuildBeside("p");
		awaitSwitch();
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 2);
		Await.until("the death in the new run", () -> this.fixture.status("s-4") == 2);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_dead_letters"))
			.as("letters, of the run that serves only")
			.isEqualTo(1);
		this.broken.set(0);
		assertThat(instance.perspectives.retry("p", StreamId.of("s-4"), ADA)).isTrue();
		assertWhole(3 * STREAMS);
	}

	@Test
	void aStreamThatHasStoppedEarlierInTheNewRunHoldsTheSwitchBackUntilItIsAsFarAsInTheOld() {
		this.fixture.append("s-4", 7);
		this.broken.set(10);
		PerspectiveInstance instance = start(2);
		this.fixture.awaitApplied("p", 3 * STREAMS + 6);
		Await.until("the death", () -> this.fixture.status("s-4") == 2);
		this.brokenInTheSecond.set(true);
		instance.perspectives.rebuildBeside("p");
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 2);
		assertHeldBack(instance, 3 * STREAMS + 6, 0, 1);
		this.brokenInTheSecond.set(false);
		assertThat(instance.perspectives.retry("p", StreamId.of("s-4"), ADA)).isTrue();
		awaitSwitch();
		// Being as far as in the old run is enough for the switch; the next event is
		// tried, and fails, in its own time.
		Await.until("the death in the second",
				() -> instance.perspectives.stopped("p", null, 10)
					.stream()
					.anyMatch((stopped) -> stopped.run().run() == 2));
		assertThat(this.fixture.applied("p", 2)).contains("s-4/9").doesNotContain("s-4/10");
		this.broken.set(0);
		assertThat(instance.perspectives.retry("p", StreamId.of("s-4"), ADA)).isTrue();
		assertWhole(3 * STREAMS + 8);
	}

	/** The old run serves and goes on, and says why the new one does not. */
	private void assertHeldBack(PerspectiveInstance instance, int applied, int retrying, int dead) {
		Await.until(() -> "the stream has stopped; " + instance.perspectives.status("p"), () -> {
			List<PerspectiveStatus> runs = instance.perspectives.status("p");
			return runs.size() == 2 && runs.get(1).retrying() == retrying && runs.get(1).dead() == dead
					&& runs.get(1).behind() == 0;
		});
		// What comes behind is applied to both, and many chances to switch pass with it.
		this.fixture.append("s-1", 1);
		this.fixture.awaitApplied("p", 1, applied + 1);
		this.fixture.awaitApplied("p", 2, 3 * STREAMS - 1);
		for (int i = 0; i < 5; i++) {
			instance.worker.look();
			Await.until("a poll", instance.worker::hasLooked);
		}
		assertThat(this.switches).isEmpty();
		assertThat(instance.perspectives.status("p")).extracting(PerspectiveStatus::state)
			.containsExactly(PerspectiveStatus.State.SERVING, PerspectiveStatus.State.BUILDING);
		assertThat(instance.perspectives.serving("p").run()).isEqualTo(1);
	}

	private void awaitSwitch() {
		Await.until(() -> "the switch; " + this.fixture.standing(), () -> !this.switches.isEmpty());
		assertThat(this.switches).containsExactly("1 to 2");
	}

	private void assertWhole(int events) {
		this.fixture.awaitApplied("p", 2, events);
		Await.until("the stream follows", () -> this.fixture.status("s-4") == 0);
		assertThat(this.fixture.faults("p", 2)).isEmpty();
	}

	private PerspectiveInstance start(int attempts) {
		PerspectiveSettings settings = PerspectiveFixture.SETTINGS.withRetireAfter(Duration.ofHours(1))
			.withRetry(PerspectiveFixture.SETTINGS.retry().withMaxAttempts(attempts));
		PerspectiveInstance instance = this.fixture
			.prepare((parts) -> parts.with(settings).with(new PerspectiveListener() {
				@Override
				public void switched(PerspectiveRun from, PerspectiveRun to) {
					SwitchTests.this.switches.add(from.run() + " to " + to.run());
				}
			}), new RecordingPerspective("p").before((event, run) -> {
				if (event.stream().key().equals("s-4") && (event.version() == this.broken.get()
						|| event.version() == 2 && run.run() == 2 && this.brokenInTheSecond.get())) {
					throw new IllegalStateException("bad event");
				}
			}));
		instance.worker.start();
		return instance;
	}

}

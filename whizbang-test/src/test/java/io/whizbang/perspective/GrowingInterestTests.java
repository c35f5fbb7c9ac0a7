package io.whizbang.perspective;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveFixture.Closed;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A release begins to want a type of event after some of its events were passed.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class GrowingInterestTests {

	private final PerspectiveFixture fixture;

	private final List<Throwable> failures = new CopyOnWriteArrayList<>();

	GrowingInterestTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	/** One stream with a checkpoint, one without, and all that is closed is passed. */
	@BeforeEach
	void passWhatIsClosed() {
		PerspectiveInstance old = this.fixture
			.start(new RecordingPerspective("p").wanting(PerspectiveFixture.only("noted")));
		this.fixture.store.append("A", ExpectedVersion.none(), new Noted(1), new Closed("2"), new Noted(3));
		old.perspectives.await("p", this.fixture.store.append("B", ExpectedVersion.none(), new Closed("1")),
				Await.PATIENCE);
		this.fixture.awaitApplied("p", 2);
		old.close();
		assertThat(this.fixture.status("B")).as("no checkpoint").isEqualTo(-1);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void itIsAppliedFromThenOnWithoutFalseGapsAndTheLogSaysWhatIsMissing(CapturedOutput output) {
		start();
		appendWhatIsClosed();
		this.fixture.awaitApplied("p", 5);
		Await.until("the streams have moved", () -> this.fixture.checkpoint("A").get("version").equals(4L)
				&& this.fixture.checkpoint("B").get("version").equals(3L));
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/3", "A/4", "B/2", "B/3");
		assertThat(this.failures).as("gaps that are none").isEmpty();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
			.isZero();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("The perspective p wants events of type [closed] now")
			.contains("rebuild it, or raise its version");
	}

	@Test
	void aRebuildAppliesWhatWasPassed() {
		PerspectiveInstance young = start();
		appendWhatIsClosed();
		this.fixture.awaitApplied("p", 5);
		young.perspectives.rebuild("p");
		this.fixture.awaitApplied("p", 7);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.failures).isEmpty();
	}

	@Test
	void anEventThatTheRebuildMissesIsAGapAlthoughItWasPassedBefore() {
		PerspectiveInstance young = start();
		appendWhatIsClosed();
		this.fixture.awaitApplied("p", 5);
		young.perspectives.rebuild("p");
		this.fixture.awaitApplied("p", 7);
		young.close();
		// As if the feed had lost them, and the store had not.
		this.fixture.jdbc.update("delete from whizbang.wh_perspective_checkpoints where stream_id = ?",
				StreamId.of("B").value());
		this.fixture.jdbc.update("delete from applied where stream = 'B'");
		this.fixture.jdbc.update("""
				delete from whizbang.wh_events where stream_id = ? and version in (2, 3)""", StreamId.of("B").value());
		this.fixture.jdbc.update("""
				update whizbang.wh_streams set version = 1 where stream_id = ?""", StreamId.of("B").value());
		start();
		this.fixture.store.append("B", ExpectedVersion.exactly(1), new Noted(2));
		this.fixture.awaitApplied("p", 6);
		assertThat(this.failures).singleElement().isInstanceOf(PerspectiveOrderException.class);
		assertThat(this.fixture.applied("p")).endsWith("B/1", "B/2");
	}

	private PerspectiveInstance start() {
		PerspectiveInstance instance = this.fixture.prepare((parts) -> parts.with(new PerspectiveListener() {
			@Override
			public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
				GrowingInterestTests.this.failures.add(failure);
			}
		}), new RecordingPerspective("p"));
		instance.worker.start();
		return instance;
	}

	private void appendWhatIsClosed() {
		this.fixture.store.append("A", ExpectedVersion.exactly(3), new Closed("4"));
		this.fixture.store.append("B", ExpectedVersion.exactly(1), new Closed("2"), new Noted(3));
	}

}

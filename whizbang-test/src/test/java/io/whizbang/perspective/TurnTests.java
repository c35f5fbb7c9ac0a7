package io.whizbang.perspective;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streams that go by themselves and those that follow the feed take turns in a lane, so
 * that none keeps the others waiting.
 */
@PostgresTest
class TurnTests {

	private static final PerspectiveSettings SETTINGS = PerspectiveFixture.SETTINGS.withPages(50, 5);

	private static final int STOPPED = 200;

	private final PerspectiveFixture fixture;

	TurnTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void theReplayOfALongStreamKeepsNoOtherWaiting() {
		this.fixture.append("A", 2000);
		AtomicBoolean replayed = new AtomicBoolean();
		PerspectiveInstance instance = this.fixture.start(SETTINGS,
				new RecordingPerspective("p").before((event, run) -> {
					if (event.stream().key().equals("A") && event.version() == 100 && replayed.get()) {
						appendApart("B");
					}
				}));
		this.fixture.awaitApplied("p", 2000);
		replayed.set(true);
		instance.perspectives.replay("p", StreamId.of("A"));
		this.fixture.awaitApplied("p", 2001);
		Await.until("the stream follows", () -> this.fixture.status("A") == 0);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.applied("p").indexOf("B/1")).as("place of the other stream's event in 2001")
			.isBetween(100, 150);
	}

	@Test
	void theFeedDoesNotKeepAReplayWaiting() {
		this.fixture.append("A", 100);
		AtomicBoolean stopped = new AtomicBoolean();
		AtomicInteger written = new AtomicInteger();
		PerspectiveInstance instance = this.fixture.start(SETTINGS,
				new RecordingPerspective("p").before((event, run) -> {
					// Every event of the feed is followed by another one.
					if (event.stream().key().startsWith("s-") && !stopped.get()) {
						appendApart("s-" + written.incrementAndGet() % 10);
					}
				}));
		this.fixture.awaitApplied("p", 100);
		this.fixture.append("s-0", 1);
		this.fixture.awaitApplied("p", 110);
		instance.perspectives.replay("p", StreamId.of("A"));
		Await.until(() -> "the stream follows; " + this.fixture.standing(), () -> this.fixture.status("A") == 0);
		stopped.set(true);
		Await.until(() -> "all is applied; " + this.fixture.faults("p", 1),
				() -> this.fixture.faults("p", 1).isEmpty());
	}

	@Test
	void streamsThatFailAgainAndAgainKeepNoOtherWaiting() {
		AtomicBoolean again = new AtomicBoolean();
		AtomicInteger failures = new AtomicInteger();
		AtomicInteger before = new AtomicInteger();
		PerspectiveInstance instance = this.fixture.start(
				SETTINGS.withRetry(RetryPolicy.defaults().withDelays(Duration.ofHours(1), Duration.ofHours(1))),
				new RecordingPerspective("p").before((event, run) -> {
					if (event.stream().key().equals("B")) {
						before.set(failures.get());
					}
					else {
						if (again.get() && failures.getAndIncrement() == 0) {
							appendApart("B");
						}
						throw new IllegalStateException("bad event");
					}
				}));
		for (int i = 0; i < STOPPED; i++) {
			this.fixture.append("bad-" + i, 1);
		}
		Await.until("all have stopped", () -> this.fixture
			.count("select count(*) from whizbang.wh_perspective_checkpoints where status = 1") == STOPPED);
		again.set(true);
		this.fixture.jdbc.update("update whizbang.wh_perspective_checkpoints set next_attempt_at = now()");
		instance.worker.look();
		this.fixture.awaitApplied("p", 1);
		assertThat(before.get()).as("failures before the other stream had its turn").isBetween(1, STOPPED / 2);
		Await.until("all have failed again", () -> failures.get() == STOPPED);
	}

	/** What the thread does here is in a transaction of the perspective's. */
	private void appendApart(String stream) {
		CompletableFuture.runAsync(() -> this.fixture.append(stream, 1)).join();
	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.perspective.PerspectiveStatus.State;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * People see how far a run is that is being built, in the middle of it.
 */
@PostgresTest
class ProgressTests {

	private static final Logger chores = (Logger) LoggerFactory.getLogger(RunChores.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final CountDownLatch goOn = new CountDownLatch(1);

	private final PerspectiveFixture fixture;

	ProgressTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@BeforeEach
	void listenToTheLog() {
		this.log.start();
		chores.addAppender(this.log);
	}

	@AfterEach
	void close() {
		this.goOn.countDown();
		chores.detachAppender(this.log);
		this.fixture.close();
	}

	@Test
	void aRunThatIsBeingBuiltTellsHowFarItIs() {
		this.fixture.append("A", 100);
		PerspectiveInstance instance = this.fixture.start(often(PerspectiveFixture.SETTINGS.withPages(10, 10)),
				new RecordingPerspective("p").before((event, run) -> {
					if (run.run() == 2 && event.version() == 51) {
						this.goOn.await();
					}
				}));
		this.fixture.awaitApplied("p", 100);
		this.fixture.awaitDone(instance, "p");
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		PerspectiveGauges gauges = new PerspectiveGauges(instance.perspectives::status);
		instance.perspectives.rebuildBeside("p");
		this.fixture.awaitApplied("p", 2, 50);
		List<PerspectiveStatus> runs = instance.perspectives.status("p");
		assertThat(runs).extracting(PerspectiveStatus::state).containsExactly(State.SERVING, State.BUILDING);
		assertThat(runs.get(1).done()).as("done").isEqualTo(50);
		assertThat(runs.get(1).total()).as("of all").isEqualTo(100);
		assertThat(runs.get(1).behind()).as("behind").isEqualTo(50);
		gauges.bind("p", registry);
		assertThat(registry.get("whizbang.perspective.progress").gauge().value()).isEqualTo(0.5);
		Await.until(() -> "a line in the log: " + this.log.list, () -> List.copyOf(this.log.list)
			.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.anyMatch((line) -> line.startsWith("PerspectiveRun[name=p, version=1, run=2] is at 50 of 100 (50 %), ")));
		this.goOn.countDown();
		Await.until("the switch", () -> instance.perspectives.status("p").get(0).run().run() == 2);
	}

	/** The log tells ten times in a second. */
	private static PerspectiveSettings often(PerspectiveSettings usual) {
		return new PerspectiveSettings(usual.pageSize(), usual.pageBytes(), usual.streamBatch(), usual.concurrency(),
				usual.retry(), usual.lease(), usual.minPoll(), usual.maxPoll(), usual.listeningPoll(),
				Duration.ofMillis(100), usual.retireAfter(), usual.drainTimeout());
	}

}

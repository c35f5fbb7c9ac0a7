package io.whizbang.perspective;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.whizbang.test.Await;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Perspectives outlive their database, and what it does not remember of a page that was
 * under way is applied again.
 */
class PerspectiveRestartTests {

	private static final Logger readiness = (Logger) LoggerFactory.getLogger(Readiness.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final AtomicBoolean writing = new AtomicBoolean(true);

	@BeforeEach
	void listenToTheLog() {
		this.log.start();
		readiness.addAppender(this.log);
	}

	@AfterEach
	void stopListening() {
		readiness.detachAppender(this.log);
	}

	@Test
	void everythingIsAppliedOnceThoughTheDatabaseCrashesInTheMiddleOfAPage() throws Exception {
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase database = server.server().createDatabase("crash");
				PerspectiveFixture fixture = new PerspectiveFixture(database)) {
			Crash crash = new Crash();
			PerspectiveInstance first = start(fixture, crash);
			PerspectiveInstance second = start(fixture, crash);
			Await.until("each has half", () -> first.worker.shards() == 8 && second.worker.shards() == 8);
			Thread writer = new Thread(() -> write(fixture));
			writer.start();
			fixture.awaitApplied("p", 100);

			crash.isNear.set(true);
			crash.within.await();
			server.crash();
			crash.isOver.countDown();
			Await.until("many misses", () -> first.worker.consecutiveMisses() >= 10);
			Await.until("many misses of the other", () -> second.worker.consecutiveMisses() >= 10);
			assertThat(first.worker.isRunning()).isTrue();

			server.start();
			Await.until("both are back", () -> isWell(first) && isWell(second));
			long before = fixture.events();
			Await.until("events come again", () -> fixture.events() > before + 50);
			this.writing.set(false);
			writer.join();
			fixture.awaitApplied("p", fixture.events());
			assertThat(fixture.faults("p", 1)).isEmpty();
			assertThat(fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
				.as("streams that were blamed for it")
				.isZero();
			assertThat(messages(Level.WARN))
				.contains("The database was not ready for 10 checks in a row; perspectives wait for it");
			assertThat(messages(Level.INFO)).contains("The database is not ready; perspectives wait for it")
				.anyMatch((message) -> message.startsWith("The database is ready again after"));
		}
		finally {
			this.writing.set(false);
		}
	}

	private static PerspectiveInstance start(PerspectiveFixture fixture, Crash crash) {
		PerspectiveInstance instance = fixture.prepare((parts) -> parts.with(parts.settings().withPages(20, 10)),
				new RecordingPerspective("p").before((event, run) -> crash.pass()));
		// A database that is away says so at once, and is asked often. A pool that is in
		// use hears of it only now and then.
		instance.pool.setConnectionTimeout(250);
		instance.worker.start();
		return instance;
	}

	private static boolean isWell(PerspectiveInstance instance) {
		return instance.worker.consecutiveMisses() == 0 && instance.worker.consecutiveFailures() == 0
				&& instance.worker.shards() == 8;
	}

	/** Goes on whatever happens, as an application does that others call. */
	private void write(PerspectiveFixture fixture) {
		for (int i = 0; this.writing.get(); i++) {
			try {
				fixture.append("s-" + i % 30, 1 + i % 3);
			}
			catch (RuntimeException ex) {
				// The database is away. What was committed without an answer counts too.
			}
		}
	}

	private List<String> messages(Level level) {
		return List.copyOf(this.log.list)
			.stream()
			.filter((event) -> event.getLevel() == level)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	/** Somebody is in the middle of a page when it happens. */
	private static final class Crash {

		private final AtomicBoolean isNear = new AtomicBoolean();

		private final CountDownLatch within = new CountDownLatch(1);

		private final CountDownLatch isOver = new CountDownLatch(1);

		void pass() throws InterruptedException {
			if (this.isNear.compareAndSet(true, false)) {
				this.within.countDown();
				this.isOver.await();
			}
		}

	}

}

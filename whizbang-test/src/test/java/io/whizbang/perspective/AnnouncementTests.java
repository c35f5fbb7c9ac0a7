package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events are found because they were announced: polls come every hour here.
 */
@PostgresTest
class AnnouncementTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final CoordinatorSettings RULES = new CoordinatorSettings(HOUR, HOUR, HOUR, HOUR, 10_000, null,
			false, false);

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	AnnouncementTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void anInstanceAppliesWhatItAppendsItselfAndWhatOthersAnnounce() {
		PerspectiveInstance worker = instance();
		PerspectiveInstance writer = instance();
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(PerspectiveFixture.SCHEMA);
		PostgresListener listener = new PostgresListener(this.database.unpooledDataSource()::getConnection, channel);
		WorkNotifier notifier = new WorkNotifier(this.database.dataSource(), channel);
		WorkerLifecycle lifecycle = new WorkerLifecycle(List.of(), listener, notifier);
		lifecycle.start();
		try {
			listener.wakes(worker.worker);
			Await.until("the instance listens", listener::healthy);
			worker.worker.start();
			Await.until("it holds all", () -> worker.worker.shards() == 16);
			this.fixture.append("A", 1);
			this.fixture.awaitApplied("p", 1);
			// The writer has no shards and is not started: only its announcement can
			// help.
			EventStore elsewhere = PerspectiveFixture.store(this.database.dataSource(),
					new PerspectiveSignal(writer.worker, notifier));
			for (int i = 2; i <= 5; i++) {
				elsewhere.append("A", ExpectedVersion.any(), new Noted(i));
				this.fixture.awaitApplied("p", i);
			}
			assertThat(this.fixture.faults("p", 1)).isEmpty();
		}
		finally {
			lifecycle.stop();
		}
	}

	@Test
	void instancesShareWithOneThatJoinsAndTakeOverFromOneThatLeavesAtOnce() {
		PerspectiveInstance one = instance();
		PerspectiveInstance other = instance();
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(PerspectiveFixture.SCHEMA);
		PostgresListener listener = new PostgresListener(this.database.unpooledDataSource()::getConnection, channel);
		WorkNotifier notifier = new WorkNotifier(this.database.dataSource(), channel);
		WorkerLifecycle lifecycle = new WorkerLifecycle(List.of(), listener, notifier);
		lifecycle.start();
		try {
			for (PerspectiveInstance instance : List.of(one, other)) {
				new PerspectiveSignal(instance.worker, notifier);
				listener.wakes(instance.worker);
			}
			Await.until("they listen", listener::healthy);
			one.worker.start();
			for (int round = 0; round < 10; round++) {
				Await.until("the first holds all", () -> one.worker.shards() == 16);
				this.fixture.append("A", 1);
				other.worker.start();
				Await.until("they share", () -> one.worker.shards() == 8 && other.worker.shards() == 8);
				other.worker.stop();
			}
		}
		finally {
			lifecycle.stop();
		}
	}

	private PerspectiveInstance instance() {
		return this.fixture.prepare(RULES,
				(parts) -> parts.with(parts.settings().withPoll(HOUR, HOUR, HOUR).withLease(HOUR.multipliedBy(10))),
				new RecordingPerspective("p"));
	}

}

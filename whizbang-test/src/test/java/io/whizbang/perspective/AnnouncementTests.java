package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
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

	private static final Operator ADA = Operator.named("ada");

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
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance one = instances.prepare(new RecordingPerspective("p"));
			PerspectiveInstance other = instances.prepare(new RecordingPerspective("p"));
			one.worker.start();
			for (int round = 0; round < 10; round++) {
				Await.until(() -> "the first holds all; " + instances.standing(), () -> one.worker.shards() == 16);
				this.fixture.append("A", 1);
				other.worker.start();
				instances.awaitShards(8, 8);
				other.worker.stop();
			}
		}
	}

	@Test
	void whatAnOperatorDoesIsDoneAtOnceWhateverInstanceHeAsks() {
		AtomicInteger broken = new AtomicInteger();
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance worker = instances.start(
					(parts) -> parts.with(parts.settings().withRetry(parts.settings().retry().withMaxAttempts(1))),
					new RecordingPerspective("p").before((event, run) -> {
						if (event.version() == broken.get()) {
							throw new IllegalStateException("broken");
						}
					}));
			instances.awaitShards(16);
			// It has no shards and is not started: only its announcements can help.
			PerspectiveInstance office = this.fixture.prepare((parts) -> parts, new RecordingPerspective("p"));
			new PerspectiveSignal(office.worker, instances.notifier());
			StreamId stream = StreamId.of("A");
			broken.set(2);
			this.fixture.append("A", 3);
			awaitDeath();
			broken.set(0);
			office.perspectives.retry("p", stream, ADA);
			this.fixture.awaitApplied("p", 3);
			Await.until("the stream follows", () -> this.fixture.status("A") == 0);
			broken.set(4);
			this.fixture.append("A", 2);
			awaitDeath();
			office.perspectives.skip("p", stream, 4, ADA);
			this.fixture.awaitApplied("p", 4);
			Await.until("the stream follows", () -> this.fixture.status("A") == 0);
			broken.set(6);
			this.fixture.append("A", 2);
			awaitDeath();
			broken.set(0);
			JdbcDeadLetters letters = new JdbcDeadLetters(this.database.dataSource(), PerspectiveFixture.SCHEMA,
					(queue, hashes) -> PerspectiveSignal.changed(null, instances.notifier()), LetterListener.NONE);
			assertThat(letters.replayAll(DeadLetterFilter.ALL, ADA)).isEqualTo(1);
			this.fixture.awaitApplied("p", 6);
			office.perspectives.replay("p", stream);
			this.fixture.awaitApplied("p", 7);
			office.perspectives.pause("p");
			instances.awaitShards(0);
			office.perspectives.resume("p");
			instances.awaitShards(16);
			office.perspectives.rebuild("p");
			Await.until("the rebuild begins", () -> this.fixture.applied("p").size() < 7 || runs() == 2);
			this.fixture.awaitApplied("p", 7);
			office.perspectives.rebuildBeside("p");
			Await.until(() -> "the switch; " + instances.standing(),
					() -> worker.perspectives.status("p").get(0).run().run() == 2);
			this.fixture.awaitApplied("p", 2, 7);
		}
	}

	@Test
	void anInstanceWithTheOldVersionHearsOfTheSwitch() {
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			instances.start(new RecordingPerspective("p"));
			this.fixture.append("A", 3);
			this.fixture.awaitApplied("p", 3);
			instances.awaitShards(16);
			instances.start(new RecordingPerspective("p").version(2));
			this.fixture.awaitApplied("p", 2, 3);
			instances.awaitShards(0, 16);
		}
	}

	@Test
	void othersHearOfEventsAlsoWhenTheyHaveNoPerspectiveInCommon() {
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance one = instances.start(new RecordingPerspective("p"));
			instances.start(new RecordingPerspective("q"));
			instances.awaitShards(16, 16);
			for (int i = 1; i <= 3; i++) {
				append(one, instances);
				this.fixture.awaitApplied("p", i);
				this.fixture.awaitApplied("q", i);
			}
		}
	}

	@Test
	void whoHasLeftDoesNotBelieveToBeAloneAndHoldsNothing() {
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance one = instances.start(new RecordingPerspective("p"));
			instances.awaitShards(16);
			Await.until("it knows that it is alone", one.worker::isAlone);
			one.worker.pause();
			assertThat(one.worker.shards()).isZero();
			instances.start(new RecordingPerspective("p"));
			instances.awaitShards(0, 16);
			append(one, instances);
			this.fixture.awaitApplied("p", 1);
			one.worker.resume();
			instances.awaitShards(8, 8);
		}
	}

	/** Nobody but this instance is told directly. */
	private void append(PerspectiveInstance instance, AnnouncedInstances instances) {
		PerspectiveFixture
			.store(this.database.dataSource(), new PerspectiveSignal(instance.worker, instances.notifier()))
			.append("A", ExpectedVersion.any(), new Noted(1));
	}

	private void awaitDeath() {
		Await.until(() -> "the death; " + this.fixture.standing(), () -> this.fixture.status("A") == 2);
	}

	private long runs() {
		return this.fixture.count("select count(*) from whizbang.wh_perspectives");
	}

	private PerspectiveInstance instance() {
		return this.fixture.prepare(RULES,
				(parts) -> parts.with(parts.settings().withPoll(HOUR, HOUR, HOUR).withLease(HOUR.multipliedBy(10))),
				new RecordingPerspective("p"));
	}

}

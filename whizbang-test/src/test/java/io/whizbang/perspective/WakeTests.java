package io.whizbang.perspective;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What instances have to do is not forgotten when something comes in between: they look
 * once in an hour here, so that whoever forgets it does it too late.
 */
@PostgresTest
class WakeTests {

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	WakeTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void whatWasKeptForAPageIsGivenBackAlthoughTheFirstTryFails() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicBoolean failing = new AtomicBoolean();
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			instances.start((parts) -> new HookedDataSource(parts.dataSource()).beforeStatement((sql) -> {
				if (sql.contains("hold_perspectives") && failing.compareAndSet(true, false)) {
					throw AnnouncedInstances.connectionLost();
				}
			}).under(parts), new RecordingPerspective("p").before((event, run) -> {
				inside.countDown();
				go.await();
				failing.set(true);
			}));
			this.fixture.append("A", 1);
			inside.await();
			PerspectiveInstance other = instances.start(new RecordingPerspective("p"));
			Await.until("it has joined", () -> other.worker.hasLooked());
			go.countDown();
			instances.awaitShards(8, 8);
			assertThat(failing).as("whether it has yet to fail").isFalse();
		}
	}

	@Test
	void anInstanceWhoseJoinWasNotAnsweredJoinsOnce() {
		AtomicBoolean failing = new AtomicBoolean(true);
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			instances.start((parts) -> new HookedDataSource(parts.dataSource()).afterStatement((sql) -> {
				if (sql.contains("join_perspectives") && failing.compareAndSet(true, false)) {
					throw AnnouncedInstances.connectionLost();
				}
			}).under(parts), new RecordingPerspective("p"));
			instances.awaitShards(16);
			assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_members")).isEqualTo(1);
		}
	}

	@Test
	void anInstanceThatGivesUpWhatItHasForAsMuchOfSomethingElseTellsTheOthers() {
		AtomicReference<@Nullable CountDownLatch> gate = new AtomicReference<>();
		CountDownLatch open = new CountDownLatch(1);
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance first = instances.start(new RecordingPerspective("p"));
			instances.awaitShards(16);
			PerspectiveInstance stays = instances
				.start((parts) -> new HookedDataSource(parts.dataSource()).beforeStatement((sql) -> {
					CountDownLatch wait = gate.get();
					if (sql.contains("hold_perspectives") && wait != null) {
						wait.await();
					}
				}).under(parts), new RecordingPerspective("p"));
			instances.awaitShards(8, 8);
			gate.set(open);
			first.worker.stop();
			AtomicInteger looks = new AtomicInteger();
			PerspectiveInstance joins = instances
				.start((parts) -> new HookedDataSource(parts.dataSource()).afterStatement((sql) -> {
					if (sql.contains("hold_perspectives")) {
						looks.incrementAndGet();
					}
				}).under(parts), new RecordingPerspective("p"));
			Await.until("it has found nothing, also when it heard of itself",
					() -> looks.get() >= 2 && joins.worker.hasLooked());
			open.countDown();
			Await.until(() -> "they share; " + instances.standing(),
					() -> stays.worker.shards() == 8 && joins.worker.shards() == 8);
		}
		finally {
			open.countDown();
		}
	}

	@Test
	void anAnnouncementThatCouldNotBeSentIsSentLater() {
		AtomicBoolean failing = new AtomicBoolean();
		HookedDataSource announcements = new HookedDataSource(this.database.dataSource()).beforeStatement((sql) -> {
			if (sql.contains("pg_notify") && failing.compareAndSet(true, false)) {
				throw AnnouncedInstances.connectionLost();
			}
		});
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture, announcements)) {
			instances.start(new RecordingPerspective("p"));
			instances.awaitShards(16);
			failing.set(true);
			instances.start(new RecordingPerspective("p"));
			instances.awaitShards(8, 8);
			assertThat(failing).as("whether it has yet to fail").isFalse();
		}
	}

	@Test
	void aDatabaseThatWasNotReadyIsAskedAgainSoon() {
		AtomicBoolean ready = new AtomicBoolean();
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance instance = instances.start((parts) -> parts.with((DatabaseReadiness) ready::get),
					new RecordingPerspective("p"));
			Await.until("a miss", () -> instance.worker.consecutiveMisses() > 0);
			ready.set(true);
			instances.awaitShards(16);
		}
	}

	@Test
	void aDatabaseIsAskedWhetherItIsReadyAlsoBeforeEventsThatComeInBetweenButNotForEachOfThem() {
		AtomicBoolean ready = new AtomicBoolean(true);
		AtomicInteger asked = new AtomicInteger();
		AtomicLong askedAt = new AtomicLong();
		AtomicInteger unready = new AtomicInteger();
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance instance = instances.start((parts) -> parts.with((DatabaseReadiness) () -> {
				asked.incrementAndGet();
				askedAt.set(System.nanoTime());
				return ready.get();
			}), new RecordingPerspective("p").before((event, run) -> {
				if (!ready.get()) {
					unready.incrementAndGet();
				}
			}));
			instances.awaitShards(16);
			long start = System.nanoTime();
			int before = asked.get();
			for (int i = 1; i <= 20; i++) {
				this.fixture.append("A", 1);
				this.fixture.awaitApplied("p", i);
			}
			assertThat((double) asked.get() - before).as("questions for 20 events")
				.isLessThanOrEqualTo(2 + 2 * (System.nanoTime() - start) / 1e9);
			Await.until("the answer is old",
					() -> instance.isIdle() && System.nanoTime() - askedAt.get() > 1_100_000_000L);
			ready.set(false);
			this.fixture.append("A", 1);
			Await.until("a miss", () -> instance.worker.consecutiveMisses() > 0);
			Await.until("no lane runs", instance::isIdle);
			assertThat(unready).as("events that were applied although it was not ready").hasValue(0);
			ready.set(true);
			this.fixture.awaitApplied("p", 21);
		}
	}

	@Test
	void aStreamThatBecomesDueWhileALaneEndsIsNotForgotten() {
		AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance instance = instances
				.start((parts) -> new HookedDataSource(parts.dataSource()).beforeStatement((sql) -> {
					Runnable run = sql.contains("next_perspective_tick") ? meanwhile.getAndSet(null) : null;
					if (run != null) {
						run.run();
					}
				}).under(parts), new RecordingPerspective("p").asGlobal());
			this.fixture.append("A", 1);
			this.fixture.awaitApplied("p", 1);
			Await.until("the lane rests", instance::isIdle);
			AtomicBoolean replayed = new AtomicBoolean();
			meanwhile.set(() -> {
				instance.perspectives.replay("p", StreamId.of("A"));
				Await.until("the worker has heard of it", instance.worker::hasLooked);
				replayed.set(true);
			});
			instance.worker.signal();
			Await.until(() -> "the stream follows; " + instances.standing(),
					() -> replayed.get() && this.fixture.status("A") == 0);
			this.fixture.awaitApplied("p", 1);
		}
	}

	@Test
	void everyStreamThatWaitsHasItsTurnInTime() {
		AtomicBoolean broken = new AtomicBoolean(true);
		try (AnnouncedInstances instances = new AnnouncedInstances(this.database, this.fixture)) {
			PerspectiveInstance instance = instances.start((parts) -> parts.with(parts.settings()
				.withRetry(parts.settings().retry().withDelays(AnnouncedInstances.HOUR, AnnouncedInstances.HOUR))),
					new RecordingPerspective("p").before((event, run) -> {
						if (broken.get()) {
							throw new IllegalStateException("not yet");
						}
					}));
			this.fixture.append("A", 1);
			this.fixture.append("B", 1);
			Await.until("both have stopped", () -> this.fixture.status("A") == 1 && this.fixture.status("B") == 1);
			Await.until("the lane rests", instance::isIdle);
			broken.set(false);
			this.fixture.jdbc.update("""
					update whizbang.wh_perspective_checkpoints set next_attempt_at = clock_timestamp() + case
					    when stream_id = ? then interval '200 ms' else interval '1 s' end""", StreamId.of("A").value());
			instance.worker.look();
			Await.until(() -> "both follow; " + instances.standing(),
					() -> this.fixture.status("A") == 0 && this.fixture.status("B") == 0);
		}
	}

}

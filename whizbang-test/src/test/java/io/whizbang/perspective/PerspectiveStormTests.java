package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writers that commit late or not at all, streams that fail, instances that join, leave
 * and are killed: every event is applied once and in order. A reader that goes by
 * positions alone runs beside it and loses some, so that the storm is known to bite.
 */
@PostgresTest
class PerspectiveStormTests {

	private static final Logger logger = LoggerFactory.getLogger(PerspectiveStormTests.class);

	private static final int WRITERS = 8;

	private static final int STREAMS = 40;

	private static final Duration LENGTH = Duration.ofSeconds(4);

	private final long seed = Long.getLong("whizbang.storm.seed", ThreadLocalRandom.current().nextLong(1L << 32));

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	/** What the feed has lost, a stream would find again: that must not be needed. */
	private final List<Throwable> disorder = new CopyOnWriteArrayList<>();

	private final PerspectiveListener listener = new PerspectiveListener() {
		@Override
		public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
			if (failure instanceof PerspectiveOrderException) {
				PerspectiveStormTests.this.disorder.add(failure);
			}
		}
	};

	private final AtomicBoolean blowing = new AtomicBoolean(true);

	PerspectiveStormTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void everyEventIsAppliedOnceAndInOrder() throws Exception {
		logger.info("Storm: repeat with -Dwhizbang.storm.seed={}", this.seed);
		List<Thread> threads = new ArrayList<>();
		Set<Long> naive = new TreeSet<>();
		for (int i = 0; i < WRITERS; i++) {
			Random chance = new Random(this.seed + i);
			threads.add(start("writer-" + i, () -> write(chance)));
		}
		Thread reader = start("naive", () -> readNaively(naive));
		Thread crowd = start("crowd", () -> comeAndGo(new Random(this.seed - 1)));
		for (Thread thread : threads) {
			thread.join();
		}
		crowd.join();
		reader.join();
		long events = this.fixture.events();
		PerspectiveInstance last = start(new Random(this.seed));
		for (String name : List.of("p", "all", "some")) {
			Await.until(
					() -> events + " of " + name + ", of which there are " + this.fixture.applied(name).size() + "; "
							+ this.fixture.standing(),
					Duration.ofSeconds(60), () -> this.fixture.applied(name).size() >= events);
			assertThat(this.fixture.faults(name, 1)).as(name).isEmpty();
		}
		Set<Long> lost = new HashSet<>(
				this.fixture.jdbc.queryForList("select position from whizbang.wh_events", Long.class));
		lost.removeAll(naive);
		logger.info("Storm over {} events; a reader by positions lost {}", events, lost.size());
		assertThat(lost).as("what a naive reader loses").isNotEmpty();
		assertThat(this.disorder).as("events that the feed lost or gave twice").isEmpty();
		assertThat(events).isGreaterThan(500);
		assertThat(last.perspectives.status()).allSatisfy((status) -> assertThat(status.dead()).isZero());
	}

	private void write(Random chance) {
		try (HikariDataSource pool = this.database.createPool(1)) {
			EventStore store = PerspectiveFixture.store(pool, EventSignal.NONE);
			TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			while (this.blowing.get()) {
				transaction.executeWithoutResult((status) -> {
					if (chance.nextInt(3) == 0) {
						// An old id, long before the first position.
						jdbc.queryForObject("select pg_current_xact_id()::text", String.class);
						nap(chance.nextInt(8));
					}
					// In the order of their numbers, or two writers wait for each other.
					Set<Integer> streams = new TreeSet<>();
					for (int i = chance.nextInt(3); i >= 0; i--) {
						streams.add(chance.nextInt(STREAMS));
					}
					for (int stream : streams) {
						List<Noted> events = new ArrayList<>();
						for (int i = chance.nextInt(3); i >= 0; i--) {
							events.add(new Noted(i));
						}
						store.append(StreamId.of("s-" + stream), ExpectedVersion.any(), events);
					}
					if (chance.nextInt(2) == 0) {
						nap(chance.nextInt(15));
					}
					if (chance.nextInt(8) == 0) {
						status.setRollbackOnly();
					}
				});
			}
		}
	}

	private void readNaively(Set<Long> seen) {
		long last = 0;
		while (this.blowing.get()) {
			for (Long position : this.fixture.jdbc.queryForList(
					"select position from whizbang.wh_events where position > ? order by position", Long.class, last)) {
				seen.add(position);
				last = position;
			}
			nap(1);
		}
		seen.addAll(this.fixture.jdbc.queryForList("select position from whizbang.wh_events where position > ?",
				Long.class, last));
	}

	private void comeAndGo(Random chance) {
		List<PerspectiveInstance> crowd = new ArrayList<>();
		long end = System.nanoTime() + LENGTH.toNanos();
		while (System.nanoTime() < end) {
			if (crowd.size() < 3) {
				crowd.add(start(chance));
			}
			nap(200 + chance.nextInt(400));
			if (crowd.size() == 3) {
				PerspectiveInstance leaving = crowd.remove(chance.nextInt(3));
				if (chance.nextBoolean()) {
					leaving.kill();
				}
				else {
					leaving.close();
				}
			}
		}
		this.blowing.set(false);
		crowd.forEach(PerspectiveInstance::kill);
	}

	private PerspectiveInstance start(Random chance) {
		Random failures = new Random(chance.nextLong());
		RecordingPerspective.Hook trouble = (event, run) -> {
			synchronized (failures) {
				if (failures.nextInt(300) == 0) {
					throw new IllegalStateException("by chance");
				}
			}
		};
		PerspectiveInstance instance = this.fixture.prepare(
				(parts) -> parts.with(this.listener)
					.with(PerspectiveFixture.SETTINGS.withLease(Duration.ofMillis(400))
						.withPages(50, 20)
						.withRetry(PerspectiveFixture.SETTINGS.retry().withMaxAttempts(50))),
				new RecordingPerspective("p").concurrency(2).before(trouble),
				new RecordingPerspective("all").asGlobal(), new RecordingPerspective("some").shards(5).before(trouble));
		instance.worker.start();
		return instance;
	}

	private static Thread start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.start();
		return thread;
	}

	private static void nap(int millis) {
		LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
	}

}

package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who empties a model and who fills it wait for each other in one order only, so that the
 * database never has to give one of them up.
 */
@PostgresTest
class RebuildLockTests {

	private static final Logger logger = LoggerFactory.getLogger(RebuildLockTests.class);

	private static final int ROUNDS = 40;

	private static final int STREAMS = 12;

	/** So that the last rebuild ends soon. */
	private static final int MOST = 1000;

	private final PerspectiveFixture fixture;

	private final List<Throwable> troubles = new CopyOnWriteArrayList<>();

	private final PerspectiveListener listener = new PerspectiveListener() {
		@Override
		public void roundFailed(Throwable failure) {
			RebuildLockTests.this.troubles.add(failure);
		}

		@Override
		public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
			RebuildLockTests.this.troubles.add(failure);
		}
	};

	RebuildLockTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		this.fixture.jdbc.execute("drop table if exists totals");
		this.fixture.jdbc.execute("create table totals (stream text primary key, events bigint not null)");
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aRebuildWaitsForThePageUnderWay() throws Exception {
		besideAPageUnderWay((perspectives) -> perspectives.rebuild("p"));
	}

	@Test
	void aReplayWaitsForThePageUnderWay() throws Exception {
		besideAPageUnderWay((perspectives) -> perspectives.replay("p", StreamId.of("A")));
	}

	private void besideAPageUnderWay(Action action) throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		PerspectiveInstance instance = start(new Totals((event, run) -> {
			if (event.version() == 2) {
				inside.countDown();
				go.await();
			}
		}));
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 1);
		this.fixture.append("A", 1);
		inside.await();
		Thread operator = new Thread(() -> action.run(instance.perspectives));
		operator.start();
		Await.until("the operator waits", () -> this.fixture.count("""
				select count(*) from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'""") == 1);
		go.countDown();
		operator.join();
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 3);
		assertThat(this.troubles).isEmpty();
		assertTotals();
	}

	@Test
	void rebuildsAndReplaysBesideAppendsNeverEndInADeadlock() throws Exception {
		long seed = Long.getLong("whizbang.storm.seed", ThreadLocalRandom.current().nextLong(1L << 32));
		logger.info("Rebuilds beside appends: repeat with -Dwhizbang.storm.seed={}", seed);
		Random pauses = new Random(seed);
		RecordingPerspective.Hook slow = (event, run) -> {
			int millis;
			synchronized (pauses) {
				millis = pauses.nextInt(3);
			}
			LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
		};
		PerspectiveInstance one = start(new Totals(slow));
		PerspectiveInstance other = start(new Totals(slow));
		AtomicBoolean writing = new AtomicBoolean(true);
		List<Thread> writers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			Random chance = new Random(seed + 1 + i);
			Thread writer = new Thread(() -> {
				for (int written = 0; writing.get() && written < MOST; written++) {
					this.fixture.append("s-" + chance.nextInt(STREAMS), 1 + chance.nextInt(2));
					LockSupport.parkNanos(Duration.ofMillis(chance.nextInt(10)).toNanos());
				}
			});
			writer.start();
			writers.add(writer);
		}
		Random chance = new Random(seed - 1);
		for (int i = 0; i < ROUNDS; i++) {
			this.fixture.awaitApplied("p", 1 + chance.nextInt(20));
			Perspectives perspectives = (chance.nextBoolean() ? one : other).perspectives;
			if (chance.nextInt(3) == 0) {
				perspectives.replay("p", StreamId.of("s-" + chance.nextInt(STREAMS)));
			}
			else {
				perspectives.rebuild("p");
			}
		}
		writing.set(false);
		for (Thread writer : writers) {
			writer.join();
		}
		this.fixture.awaitApplied("p", this.fixture.events());
		assertThat(this.troubles).as("what pages and resets have met").isEmpty();
		assertTotals();
	}

	private void assertTotals() {
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.jdbc.queryForList(
				"""
						select s.stream_key, s.version, t.events from whizbang.wh_streams s left join totals t on t.stream = s.stream_key
						where s.version is distinct from t.events"""))
			.isEmpty();
	}

	private PerspectiveInstance start(Totals totals) {
		PerspectiveInstance instance = this.fixture
			.prepare((parts) -> parts.with(this.listener).with(parts.settings().withPages(20, 10)), totals);
		instance.worker.start();
		return instance;
	}

	/** What an operator does. */
	private interface Action {

		void run(Perspectives perspectives);

	}

	/** Changes rows that are there already, as most models do. */
	private final class Totals extends RecordingPerspective {

		/** Happens when a row of the model is locked. */
		private final Hook hook;

		Totals(Hook hook) {
			super("p");
			this.hook = hook;
			concurrency(2);
		}

		@Override
		public void apply(StoredEvent event, PerspectiveRun run) throws Exception {
			super.apply(event, run);
			jdbc().update("""
					insert into totals as t values (?, 1)
					on conflict (stream) do update set events = t.events + 1""", event.stream().key());
			this.hook.run(event, run);
		}

		@Override
		public void reset(PerspectiveRun run) {
			watched(() -> {
				super.reset(run);
				jdbc().update("delete from totals");
			});
		}

		@Override
		public void resetStream(StreamId stream, PerspectiveRun run) {
			watched(() -> {
				super.resetStream(stream, run);
				jdbc().update("delete from totals where stream = ?", stream.key());
			});
		}

		private void watched(Runnable reset) {
			try {
				reset.run();
			}
			catch (RuntimeException ex) {
				RebuildLockTests.this.troubles.add(ex);
				throw ex;
			}
		}

	}

}

package io.whizbang.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.event.EventFixture.Paid;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads append to the same streams: nothing is lost, nothing comes twice, and
 * versions have no gaps.
 */
@PostgresTest
class EventConcurrencyTests {

	private static final Logger logger = LoggerFactory.getLogger(EventConcurrencyTests.class);

	private static final int THREADS = 16;

	private final long seed = Long.getLong("whizbang.chaos.seed", ThreadLocalRandom.current().nextLong(1L << 32));

	private final HikariDataSource pool;

	private final EventFixture fixture;

	private final EventStore store;

	private final TransactionTemplate transaction;

	EventConcurrencyTests(PostgresDatabase database) {
		logger.info("Repeat with -Dwhizbang.chaos.seed={}", this.seed);
		this.pool = database.createPool(THREADS);
		this.fixture = new EventFixture(database, this.pool);
		this.store = this.fixture.store;
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void appendsOfExactVersionsThatAreTriedAgainLoseNothing() throws Exception {
		int each = 25;
		AtomicInteger conflicts = new AtomicInteger();
		inThreads((thread, random) -> {
			for (int i = 0; i < each; i++) {
				int amount = thread * 1000 + i;
				boolean rollBack = random.nextInt(10) == 0;
				while (!appendOnce(amount, random, conflicts, rollBack)) {
					rollBack = false;
				}
			}
		});
		assertThat(this.fixture.versions("A")).isEqualTo(LongStream.rangeClosed(1, THREADS * each).boxed().toList());
		assertThat(this.store.read("A").map(StoredEvent::payload))
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, THREADS)
				.boxed()
				.flatMap((thread) -> IntStream.range(0, each).mapToObj((i) -> (Object) new Paid(thread * 1000 + i)))
				.toList());
		assertThat(conflicts.get()).as("conflicts, without which this shows nothing").isPositive();
	}

	/** Read, decide, append; as applications do it. */
	private boolean appendOnce(int amount, Random random, AtomicInteger conflicts, boolean rollBack) {
		try {
			return Boolean.TRUE.equals(this.transaction.execute((status) -> {
				ExpectedVersion expected = this.store.info("A").expected();
				if (random.nextBoolean()) {
					Thread.yield();
				}
				this.store.append("A", expected, new Paid(amount));
				if (rollBack) {
					status.setRollbackOnly();
				}
				return !rollBack;
			}));
		}
		catch (OptimisticConcurrencyException ex) {
			conflicts.incrementAndGet();
			return false;
		}
	}

	@Test
	void ofThoseThatExpectTheSameOneWins() throws Exception {
		for (int round = 0; round < 20; round++) {
			ExpectedVersion expected = this.store.info("A").expected();
			AtomicInteger wins = new AtomicInteger();
			AtomicInteger conflicts = new AtomicInteger();
			inThreads((thread, random) -> {
				try {
					this.store.append("A", expected, new Paid(thread), new Paid(thread));
					wins.incrementAndGet();
				}
				catch (OptimisticConcurrencyException ex) {
					assertThat(ex.found()).isEqualTo(expected.value() + 2);
					conflicts.incrementAndGet();
				}
			});
			assertThat(wins).hasValue(1);
			assertThat(conflicts).hasValue(THREADS - 1);
		}
		assertThat(this.fixture.versions("A")).isEqualTo(LongStream.rangeClosed(1, 40).boxed().toList());
	}

	@Test
	void thoseThatExpectNothingAllSucceedAlsoWhenTheyCreateTheStream() throws Exception {
		for (int round = 0; round < 20; round++) {
			String stream = "stream " + round;
			inThreads((thread, random) -> this.store.append(stream, ExpectedVersion.any(), new Paid(thread)));
			assertThat(this.fixture.versions(stream)).isEqualTo(LongStream.rangeClosed(1, THREADS).boxed().toList());
		}
	}

	@Test
	void thoseThatExpectAStreamWhichDoesNotExistDisturbNobodyWhoCreatesIt() throws Exception {
		for (int round = 0; round < 20; round++) {
			String stream = "stream " + round;
			AtomicInteger conflicts = new AtomicInteger();
			inThreads((thread, random) -> {
				try {
					this.store.append(stream, (thread % 2 == 0) ? ExpectedVersion.any() : ExpectedVersion.exactly(99),
							new Paid(thread));
				}
				catch (OptimisticConcurrencyException ex) {
					conflicts.incrementAndGet();
				}
			});
			assertThat(conflicts).hasValue(THREADS / 2);
			assertThat(this.fixture.versions(stream))
				.isEqualTo(LongStream.rangeClosed(1, THREADS / 2).boxed().toList());
		}
	}

	@Test
	void batchesOverTheSameStreamsDoNotWaitForEachOtherInACircle() throws Exception {
		int each = 40;
		inThreads((thread, random) -> {
			for (int i = 0; i < each; i++) {
				List<StreamAppend> appends = new ArrayList<>();
				// Some streams are new in every round, so that creating them is part of
				// it.
				for (int stream : random.ints(0, 12).distinct().limit(1 + random.nextInt(6)).toArray()) {
					appends.add(StreamAppend.of("%d of %d".formatted(stream, (stream < 6) ? 0 : i),
							ExpectedVersion.any(), new Paid(thread)));
				}
				this.store.appendAll(appends);
			}
		});
		assertThat(this.fixture.committed()
			.queryForList(
					"""
							select s.stream_key from whizbang.wh_streams s
							where s.version is distinct from (select max(e.version) from whizbang.wh_events e where e.stream_id = s.stream_id)
							   or s.version <> (select count(*) from whizbang.wh_events e where e.stream_id = s.stream_id)""",
					String.class))
			.as("streams whose versions have gaps")
			.isEmpty();
	}

	@Test
	void batchesThatCreateTheSameStreamsDoNotWaitForEachOtherInACircle() throws Exception {
		for (int round = 0; round < 5; round++) {
			List<String> streams = new ArrayList<>();
			for (int i = 0; i < 1_000; i++) {
				streams.add("%d of round %d".formatted(i, round));
			}
			inThreads((thread, random) -> {
				List<String> shuffled = new ArrayList<>(streams);
				Collections.shuffle(shuffled, random);
				this.store.appendAll(shuffled.stream()
					.map((stream) -> StreamAppend.of(stream, ExpectedVersion.any(), new Paid(thread)))
					.toList());
			});
		}
		assertThat(
				this.fixture.committed().queryForList("select distinct version from whizbang.wh_streams", Long.class))
			.containsExactly((long) THREADS);
	}

	private void inThreads(Work work) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			CyclicBarrier start = new CyclicBarrier(THREADS);
			List<Future<?>> running = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int thread = i;
				Callable<Void> task = () -> {
					start.await(30, TimeUnit.SECONDS);
					work.run(thread, new Random(this.seed + thread));
					return null;
				};
				running.add(executor.submit(task));
			}
			for (Future<?> future : running) {
				future.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	@FunctionalInterface
	private interface Work {

		void run(int thread, Random random);

	}

}

package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.whizbang.message.NewMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static io.whizbang.coordinator.CoordinatorFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What only real concurrency can show. A deadlock or any other error of the database
 * fails the test.
 */
@PostgresTest
class CoordinatorConcurrencyTests {

	private static final Logger logger = LoggerFactory.getLogger(CoordinatorConcurrencyTests.class);

	private final CoordinatorFixture fixture;

	private final PostgresDatabase database;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final long seed = new Random().nextLong();

	/** The places of delivered messages by stream, in the order of their delivery. */
	private final Map<String, List<Long>> delivered = new ConcurrentHashMap<>();

	private final AtomicInteger accepted = new AtomicInteger();

	CoordinatorConcurrencyTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new CoordinatorFixture(database);
		this.fixture.clock().reset();
		logger.info("Seed {}", this.seed);
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	private List<Future<?>> start(int count, Callable<?>... kinds) {
		CyclicBarrier barrier = new CyclicBarrier(count * kinds.length);
		List<Future<?>> futures = new ArrayList<>();
		for (Callable<?> kind : kinds) {
			for (int i = 0; i < count; i++) {
				futures.add(this.threads.submit(() -> {
					barrier.await(30, TimeUnit.SECONDS);
					return kind.call();
				}));
			}
		}
		return futures;
	}

	private static void await(List<Future<?>> futures) throws Exception {
		for (Future<?> future : futures) {
			future.get(60, TimeUnit.SECONDS);
		}
	}

	private void deliver(Work work) {
		this.delivered
			.computeIfAbsent(CoordinatorFixture.streamOf(work.envelope().payload()),
					(stream) -> Collections.synchronizedList(new ArrayList<>()))
			.add(work.seq());
	}

	/** One call: completes the batch before and delivers the next one. */
	private WorkBatch work(TestInstance instance, WorkBatch before, int limit) {
		boolean holding = before != null && before.claim() != null;
		WorkBatch next = instance.exchange(holding ? TestInstance.finished(before) : WorkReport.nothing(), limit);
		assertThat(next.refused()).isFalse();
		assertThat(next.lost()).isEmpty();
		assertThat(next.orphans()).isZero();
		if (holding) {
			this.accepted.addAndGet(before.work().size());
		}
		next.work().forEach(this::deliver);
		return next;
	}

	private void assertOrder(int count) {
		assertThat(this.delivered.values()).allSatisfy((seqs) -> assertThat(seqs).isSorted().doesNotHaveDuplicates());
		assertThat(this.delivered.values().stream().mapToInt(List::size).sum()).isEqualTo(count);
		assertThat(this.accepted).hasValue(count);
		assertThat(this.fixture.waiting()).isZero();
		assertThat(this.fixture.claims()).isZero();
	}

	@Test
	void instancesThatClaimAtOnceNeverOverlap() throws Exception {
		String[] names = IntStream.range(0, 3_000)
			.mapToObj((i) -> "s" + (char) ('a' + i % 17) + (char) ('a' + i % 19) + i)
			.toArray(String[]::new);
		this.fixture.enqueue(names);
		List<TestInstance> instances = this.fixture.join(6);
		AtomicInteger next = new AtomicInteger();
		await(start(6, () -> {
			TestInstance instance = instances.get(next.getAndIncrement());
			WorkBatch batch = null;
			while (this.accepted.get() < names.length) {
				batch = work(instance, batch, 20);
			}
			return null;
		}));
		assertOrder(names.length);
	}

	@Test
	void joinsLeavesAndHeartbeatsNeitherDeadlockNorLoseAnything() throws Exception {
		CoordinatorSettings defaults = CoordinatorSettings.defaults();
		CoordinatorSettings eager = new CoordinatorSettings(defaults.lease(), Duration.ZERO, defaults.deadAfter(),
				defaults.staleAfter(), defaults.partitions(), null, false, false);
		AtomicInteger produced = new AtomicInteger();
		await(start(7, () -> {
			Random random = new Random(this.seed + Thread.currentThread().getId());
			for (int life = 0; life < 8; life++) {
				TestInstance instance = this.fixture.join(eager);
				instance.coordinator().watchSession(instance.id(), null);
				WorkBatch batch = null;
				for (int call = 0; call < 5; call++) {
					if (random.nextBoolean()) {
						int number = produced.incrementAndGet();
						this.fixture.enqueue("s" + (char) ('a' + random.nextInt(20)) + number,
								"t" + (char) ('a' + random.nextInt(20)) + number);
					}
					// Without memory every call looks at the members.
					instance.forget();
					batch = work(instance, batch, 10);
				}
				work(instance, batch, 0);
				instance.leave();
			}
			return null;
		}));
		TestInstance last = this.fixture.join();
		WorkBatch batch = work(last, null, 100);
		while (batch.claim() != null || batch.more()) {
			batch = work(last, batch, 100);
		}
		assertOrder(2 * produced.get());
	}

	@Test
	void deliveriesOfAStreamFollowTheOrderOfItsCommits() throws Exception {
		int transactions = 40;
		AtomicInteger producing = new AtomicInteger(10);
		AtomicInteger stored = new AtomicInteger();
		List<Future<?>> producers = start(10, () -> {
			Random random = new Random(this.seed + Thread.currentThread().getId());
			try (Connection connection = this.database.unpooledDataSource().getConnection();
					Statement statement = connection.createStatement()) {
				connection.setAutoCommit(false);
				for (int i = 0; i < transactions; i++) {
					List<NewMessage> messages = new ArrayList<>();
					for (int n = random.nextInt(3); n >= 0; n--) {
						String stream = "s" + (char) ('a' + random.nextInt(5));
						messages.add(message(stream + i, stream));
					}
					new JdbcMessageStore("whizbang").store(connection, Queue.OUTBOX, messages, true);
					for (int n = random.nextInt(6); n > 0; n--) {
						statement.execute("select 1");
					}
					if (random.nextInt(10) == 0) {
						connection.rollback();
					}
					else {
						connection.commit();
						stored.addAndGet(messages.size());
					}
				}
			}
			producing.decrementAndGet();
			return null;
		});
		List<TestInstance> instances = this.fixture.join(2);
		AtomicInteger next = new AtomicInteger();
		List<Future<?>> consumers = start(2, () -> {
			TestInstance instance = instances.get(next.getAndIncrement());
			WorkBatch batch = null;
			while (producing.get() > 0 || this.accepted.get() < stored.get()) {
				batch = work(instance, batch, 20);
			}
			return null;
		});
		await(producers);
		await(consumers);
		assertOrder(stored.get());
	}

	@Test
	void expiryAndCompletionAtTheSameTimeHaveOneWinner() throws Exception {
		TestInstance holder = this.fixture.join();
		TestInstance other = this.fixture.join();
		int won = 0;
		for (int i = 1; i <= 25; i++) {
			this.fixture.enqueue("a" + i);
			WorkBatch held = holder.claim();
			held = (held.claim() != null) ? held : other.claim();
			TestInstance owner = (this.fixture.number("select count(*) from whizbang.wh_claims where instance_id = ?",
					holder.id()) == 1) ? holder : other;
			TestInstance rival = (owner == holder) ? other : holder;
			WorkBatch mine = held;
			this.fixture.jdbc()
				.update("update whizbang.wh_claims set lease_expiry = clock_timestamp() - interval '1 s'");
			rival.forget();
			CyclicBarrier barrier = new CyclicBarrier(2);
			Future<WorkBatch> completion = this.threads.submit(() -> {
				barrier.await(30, TimeUnit.SECONDS);
				return owner.finish(mine);
			});
			Future<WorkBatch> expiry = this.threads.submit(() -> {
				barrier.await(30, TimeUnit.SECONDS);
				return rival.beat();
			});
			boolean lost = !completion.get(30, TimeUnit.SECONDS).lost().isEmpty();
			assertThat(expiry.get(30, TimeUnit.SECONDS).recovered()).isEqualTo(lost ? 1 : 0);
			assertThat(this.fixture.waiting()).isEqualTo(lost ? 1 : 0);
			if (lost) {
				assertThat(this.fixture.attempts("a" + i)).isOne();
				assertThat(holder.drain().size() + other.drain().size()).isOne();
			}
			won += lost ? 0 : 1;
		}
		logger.info("The completion won {} times of 25", won);
	}

	@Test
	void instanceThatLeavesWhileItIsRemovedDoesNotDeadlock() throws Exception {
		this.fixture.clock().freeze();
		this.fixture.enqueue("a1");
		TestInstance leaving = this.fixture.join();
		leaving.claim();
		TestInstance remover = this.fixture.join();
		this.fixture.clock().advance(CoordinatorFixture.STALE.plusSeconds(1));
		Future<?> leave;
		Future<WorkBatch> removal;
		try (Connection connection = this.database.unpooledDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("select from whizbang.wh_claims for update");
			leave = this.threads.submit(leaving::leave);
			awaitWaiting(1);
			removal = this.threads.submit(() -> remover.claim());
			awaitWaiting(2);
			connection.rollback();
		}
		leave.get(30, TimeUnit.SECONDS);
		assertThat(removal.get(30, TimeUnit.SECONDS).refused()).isFalse();
		assertThat(leaving.isRegistered()).isFalse();
		remover.forget();
		assertThat(remover.beat().members()).isOne();
	}

	private void awaitWaiting(int count) throws SQLException {
		Await.until(count + " sessions to wait for a lock",
				() -> this.fixture.number(
						"select count(distinct pid) from pg_locks where not granted and pid in "
								+ "(select pid from pg_stat_activity where datname = ?)",
						this.database.name()) >= count);
	}

}

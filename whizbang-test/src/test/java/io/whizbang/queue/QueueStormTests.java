package io.whizbang.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.whizbang.queue.StormKey.Holder;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many consumers and producers at once: from the moment a batch is handed out until its
 * end is told nobody else has its key, every delivery goes on where the last
 * acknowledgement ended (G3), nothing is lost (G2), also when consumers vanish with their
 * locks; and one that freezes until somebody else has its key can end nothing (G5).
 * <p>
 * {@code -Dwhizbang.storm.messages=50000} for the whole storm,
 * {@code -Dwhizbang.storm.seed=...} for one that was seen.
 */
@PostgresTest
class QueueStormTests {

	private static final Logger logger = LoggerFactory.getLogger(QueueStormTests.class);

	private static final int KEYS = 20;

	private static final int PRODUCERS = 4;

	private static final int CONSUMERS = 50;

	private static final Duration LOCK = Duration.ofSeconds(1);

	/** So that most are at work. */
	private static final int MOST_FROZEN = 5;

	private final PostgresDatabase database;

	private final int messages = Integer.getInteger("whizbang.storm.messages", 3000);

	private final long seed = Long.getLong("whizbang.storm.seed", ThreadLocalRandom.current().nextLong(1L << 32));

	private final List<StormKey> keys = IntStream.range(0, KEYS)
		.mapToObj((number) -> new StormKey("key-" + number, LOCK))
		.toList();

	private final AtomicInteger unsent = new AtomicInteger(this.messages);

	private final AtomicInteger left = new AtomicInteger(this.messages);

	private final AtomicReference<Throwable> problem = new AtomicReference<>();

	/** A permit for each time that there may be something to take. */
	private final Semaphore changes = new Semaphore(0);

	private final Semaphore freezing = new Semaphore(MOST_FROZEN);

	private final AtomicInteger deliveries = new AtomicInteger();

	private final AtomicInteger vanished = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private QueueFixture fixture;

	QueueStormTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new QueueFixture(this.database,
				QueueFixture.SETTINGS.withBatch(50, 1024 * 1024).withRetry(QueueFixture.RETRY.withMaxAttempts(1000)));
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void noKeyHasTwoHoldersAndNothingIsLostOrOutOfOrder() throws Exception {
		logger.info("Seed {}, {} messages", this.seed, this.messages);
		ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + CONSUMERS);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int p = 0; p < PRODUCERS; p++) {
				Random random = new Random(this.seed + p);
				all.add(threads.submit(() -> watched(() -> produce(random))));
			}
			for (int c = 0; c < CONSUMERS; c++) {
				// The first two have one trouble each for sure.
				Trouble first = (c == 0) ? Trouble.VANISH : (c == 1) ? Trouble.FREEZE : Trouble.NONE;
				Random random = new Random(this.seed + 1000 + c);
				all.add(threads.submit(() -> watched(() -> consume(random, first))));
			}
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		logger.info("{} deliveries; {} consumers vanished, {} ends were refused", this.deliveries, this.vanished,
				this.refused);
		assertThat(this.problem.get()).as("seed %d", this.seed).isNull();
		for (StormKey key : this.keys) {
			assertThat(key.acknowledged()).as("seed %d, last of %s", this.seed, key).isEqualTo(key.sent());
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_queue_messages")).isZero();
		assertThat(this.vanished).as("consumers that vanished").hasPositiveValue();
		assertThat(this.refused).as("ends of frozen consumers that were refused").hasPositiveValue();
	}

	/** The first problem ends the storm. */
	private void watched(Part part) {
		try {
			part.run();
		}
		catch (Throwable ex) {
			this.problem.compareAndSet(null, ex);
		}
	}

	private void produce(Random random) {
		for (int count = draw(random); count > 0 && this.problem.get() == null; count = draw(random)) {
			int number = random.nextInt(KEYS);
			synchronized (this.keys.get(number).sending) {
				if (random.nextInt(10) == 0) {
					enqueue(number, count, false);
				}
				enqueue(number, count, true);
			}
			this.changes.release();
		}
	}

	private int draw(Random random) {
		int wanted = 1 + random.nextInt(4);
		return Math.min(wanted, this.unsent.getAndUpdate((rest) -> Math.max(0, rest - wanted)));
	}

	private void enqueue(int number, int count, boolean commit) {
		StormKey key = this.keys.get(number);
		int last = key.sent();
		this.fixture.transaction.executeWithoutResult((status) -> {
			for (int i = 1; i <= count; i++) {
				this.fixture.queues.enqueue("storm", "key-" + number, last + i);
			}
			if (!commit) {
				status.setRollbackOnly();
			}
		});
		if (commit) {
			key.sent(count);
		}
	}

	private void consume(Random random, Trouble first) throws Exception {
		Trouble next = first;
		long progress = System.nanoTime();
		int leftBefore = this.left.get();
		while (this.left.get() > 0 && this.problem.get() == null) {
			long asked = System.nanoTime();
			QueueBatch batch = this.fixture.queues.dequeueBatch("storm", LOCK).orElse(null);
			if (batch != null) {
				consume(random, batch, asked, next);
				next = Trouble.drawn(random);
			}
			else {
				// Locks of those that vanish end without anybody telling.
				this.changes.tryAcquire(50, TimeUnit.MILLISECONDS);
			}
			int leftNow = this.left.get();
			if (leftNow < leftBefore) {
				progress = System.nanoTime();
				leftBefore = leftNow;
			}
			assertThat(Duration.ofNanos(System.nanoTime() - progress))
				.as("time without an end of the %d messages that are left", leftNow)
				.isLessThan(Await.PATIENCE);
		}
	}

	private void consume(Random random, QueueBatch batch, long asked, Trouble trouble) throws Exception {
		StormKey key = this.keys.get(Integer.parseInt(String.valueOf(batch.key()).substring("key-".length())));
		List<Integer> numbers = QueueFixture.payloads(batch.messages()).stream().map(Integer::valueOf).toList();
		Holder mine = key.taken(numbers, asked);
		this.deliveries.incrementAndGet();
		if (mine == null) {
			return;
		}
		if (trouble == Trouble.VANISH) {
			this.vanished.incrementAndGet();
			return;
		}
		if (trouble == Trouble.FREEZE && this.freezing.tryAcquire()) {
			try {
				Await.until("somebody else has the key", () -> !key.isWith(mine) || this.problem.get() != null);
			}
			finally {
				this.freezing.release();
			}
		}
		if (random.nextInt(20) == 0) {
			boolean ignore = random.nextBoolean();
			counted(key.end(mine, false, () -> this.fixture.queues.abandon(batch, Duration.ZERO, ignore)));
		}
		else if (counted(key.end(mine, true, () -> this.fixture.queues.ack(batch)))) {
			this.left.addAndGet(-numbers.size());
		}
		this.changes.release();
	}

	private boolean counted(boolean accepted) {
		if (!accepted) {
			this.refused.incrementAndGet();
		}
		return accepted;
	}

	private interface Part {

		void run() throws Exception;

	}

	private enum Trouble {

		NONE, VANISH, FREEZE;

		static Trouble drawn(Random random) {
			return switch (random.nextInt(300)) {
				case 0 -> VANISH;
				case 1 -> FREEZE;
				default -> NONE;
			};
		}

	}

}

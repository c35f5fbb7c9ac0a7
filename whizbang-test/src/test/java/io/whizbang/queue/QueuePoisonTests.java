package io.whizbang.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many consumers and producers at once, few tries, and messages that always fail:
 * consumers vanish with them, give them back or refuse them, and now and then vanish with
 * a list of innocent ones. Everything is acknowledged or in the dead letters with its
 * reason (G2), in order (G3), and no innocent message dies.
 * <p>
 * {@code -Dwhizbang.storm.messages=20000} for a long storm,
 * {@code -Dwhizbang.storm.seed=...} for one that was seen.
 */
@PostgresTest
class QueuePoisonTests {

	private static final Logger logger = LoggerFactory.getLogger(QueuePoisonTests.class);

	private static final int KEYS = 12;

	private static final int PRODUCERS = 3;

	private static final int CONSUMERS = 12;

	/** Longer than anybody needs; who vanishes makes it short. */
	private static final Duration LOCK = Duration.ofMinutes(5);

	private static final Duration VANISHED = Duration.ofMillis(1);

	private final PostgresDatabase database;

	private final int messages = Integer.getInteger("whizbang.storm.messages", 1200);

	private final long seed = Long.getLong("whizbang.storm.seed", ThreadLocalRandom.current().nextLong(1L << 32));

	/** By name; messages without a key have one each, named by their number. */
	private final Map<String, PoisonedKey> keys = new ConcurrentHashMap<>();

	private final AtomicInteger unsent = new AtomicInteger(this.messages);

	private final AtomicInteger producing = new AtomicInteger(PRODUCERS);

	private final AtomicReference<Throwable> problem = new AtomicReference<>();

	/** A permit for each time that there may be something to take. */
	private final Semaphore changes = new Semaphore(0);

	private final AtomicInteger vanished = new AtomicInteger();

	private @Nullable QueueFixture fixture;

	QueuePoisonTests(PostgresDatabase database) {
		this.database = database;
	}

	@AfterEach
	void tearDown() {
		fixture().close();
	}

	private QueueFixture fixture() {
		assertThat(this.fixture).isNotNull();
		return this.fixture;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void allIsAcknowledgedOrDeadWithItsReasonAndNoInnocentMessageDies(int maxAttempts) throws Exception {
		this.fixture = new QueueFixture(this.database, QueueFixture.SETTINGS.withBatch(20, 1024 * 1024)
			.withRetry(QueueFixture.RETRY.withMaxAttempts(maxAttempts)));
		logger.info("Seed {}, {} messages, {} attempts", this.seed, this.messages, maxAttempts);
		ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + CONSUMERS);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int p = 0; p < PRODUCERS; p++) {
				Random random = new Random(this.seed + p);
				all.add(threads.submit(() -> watched(() -> produce(random, maxAttempts))));
			}
			for (int c = 0; c < CONSUMERS; c++) {
				Random random = new Random(this.seed + 1000 + c);
				all.add(threads.submit(() -> watched(() -> consume(random))));
			}
			for (Future<?> each : all) {
				each.get(5, TimeUnit.MINUTES);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.problem.get()).as("seed %d", this.seed).isNull();
		Map<String, String> expected = new TreeMap<>();
		this.keys.forEach((name, key) -> key.dead()
			.forEach((number, reason) -> expected.put(name + "#" + number, reason + " " + died(reason, maxAttempts))));
		assertThat(letters()).as("seed %d", this.seed).isEqualTo(expected);
		assertThat(expected).as("the dead").isNotEmpty();
		assertThat(this.vanished).as("consumers that vanished").hasPositiveValue();
	}

	private static String died(String reason, int maxAttempts) {
		return reason.equals("permanent") ? "poison" : "after " + maxAttempts;
	}

	private Map<String, String> letters() {
		Map<String, String> letters = new TreeMap<>();
		fixture().jdbc.query("""
				select payload::jsonb #>> '{}', reason, attempts, error from whizbang.wh_dead_letters
				where queue = 5 and topic = 'storm'""", (rows) -> {
			String reason = rows.getString(2);
			String more = reason.equals("permanent") ? rows.getString(4) : "after " + rows.getInt(3);
			assertThat(rows.getString(4)).as("error").matches("poison|abandoned by .*|lock expired: .*");
			assertThat(letters.put(rows.getString(1), reason + " " + more)).as("letter before").isNull();
		});
		return letters;
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

	private void produce(Random random, int maxAttempts) {
		try {
			for (int count = draw(random); count > 0 && this.problem.get() == null; count = draw(random)) {
				boolean keyless = random.nextInt(10) == 0;
				String name = keyless ? "none-" + random.nextLong() : "key-" + random.nextInt(KEYS);
				PoisonedKey key = this.keys.computeIfAbsent(name, (unknown) -> new PoisonedKey(maxAttempts));
				send(random, name, key, keyless ? 1 : count, !keyless);
				this.unsent.addAndGet(keyless ? count - 1 : 0);
				this.changes.release();
			}
		}
		finally {
			this.producing.decrementAndGet();
		}
	}

	private int draw(Random random) {
		int wanted = 1 + random.nextInt(8);
		return Math.min(wanted, this.unsent.getAndUpdate((rest) -> Math.max(0, rest - wanted)));
	}

	/** Whoever takes some of it waits until it is noted that they were sent. */
	private void send(Random random, String name, PoisonedKey key, int count, boolean keyed) {
		synchronized (key) {
			fixture().transaction.executeWithoutResult((status) -> {
				for (int i = 1; i <= count; i++) {
					QueueMessage.Builder message = QueueMessage.to("storm", name + "#" + (key.sent() + i));
					fixture().queues.enqueue((keyed ? message.key(name) : message).build());
				}
			});
			for (int i = 0; i < count; i++) {
				key.send(random.nextInt(15) == 0);
			}
		}
	}

	private void consume(Random random) throws InterruptedException {
		while (this.problem.get() == null) {
			boolean last = this.producing.get() == 0;
			QueueBatch batch = fixture().queues.dequeueBatch("storm", LOCK).orElse(null);
			if (batch != null) {
				consume(random, batch);
				this.changes.release();
			}
			else if (last && fixture().count("select count(*) from whizbang.wh_queue_messages") == 0) {
				return;
			}
			else {
				// Locks of those that vanish end without anybody telling.
				this.changes.tryAcquire(10, TimeUnit.MILLISECONDS);
			}
		}
	}

	private void consume(Random random, QueueBatch batch) {
		List<String> payloads = QueueFixture.payloads(batch.messages())
			.stream()
			.map((json) -> json.replace("\"", ""))
			.toList();
		PoisonedKey key = this.keys.get(payloads.get(0).replaceAll("#.*", ""));
		assertThat(key).isNotNull();
		List<Integer> numbers = payloads.stream().map((text) -> Integer.valueOf(text.replaceAll(".*#", ""))).toList();
		synchronized (key) {
			key.taken(numbers, batch.messages().stream().map(QueuedMessage::attempt).toList());
			boolean poison = numbers.stream().anyMatch(key::isPoisoned);
			if (!poison && (numbers.size() == 1 || random.nextInt(20) > 0)) {
				fixture().queues.ack(batch);
				key.done(numbers);
			}
			else if (poison && numbers.size() == 1 && random.nextInt(4) == 0) {
				fixture().queues.fail(batch, "poison");
				key.refused(numbers.get(0));
			}
			else if (random.nextBoolean()) {
				fixture().queues.abandon(batch, Duration.ZERO);
				key.failed(numbers);
			}
			else {
				this.vanished.incrementAndGet();
				fixture().queues.renew(batch, VANISHED);
				key.failed(numbers);
			}
		}
	}

	private interface Part {

		void run() throws Exception;

	}

}

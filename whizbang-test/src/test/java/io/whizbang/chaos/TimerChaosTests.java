package io.whizbang.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.test.Await;
import io.whizbang.timer.Firings;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 20 000 timers and three instances that are killed, paused and cut off at random: every
 * timer fires exactly once and not early, by what the database itself notes; none is
 * lost, and what cancel and reschedule say is true.
 */
class TimerChaosTests {

	private static final Logger logger = LoggerFactory.getLogger(TimerChaosTests.class);

	private static final int TIMERS = 20_000;

	private static final Duration PAUSE = Duration.ofMillis(250);

	/** While this goes on, timers are due all the time. */
	private static final Duration FIGHT = Duration.ofSeconds(12);

	private final Findings findings = new Findings();

	private final Deliveries deliveries = new Deliveries(this.findings);

	private final Acceptances acceptances = new Acceptances(this.findings);

	private final AtomicInteger instances = new AtomicInteger();

	/** For which time each timer has to fire. */
	private final Map<TimerId, Instant> expected = new ConcurrentHashMap<>();

	/** Those that must not. */
	private final Set<TimerId> gone = ConcurrentHashMap.newKeySet();

	private final Set<String> wrong = ConcurrentHashMap.newKeySet();

	@Test
	void everyTimerFiresExactlyOnceWhateverHappensToTheInstances() throws Exception {
		long seed = Seed.next("Timers");
		((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io.whizbang.worker")).setLevel(Level.OFF);
		try (ChaosDatabase database = ChaosDatabase.create();
				HikariDataSource pool = database.database().createPool(4)) {
			run(database, pool, new Random(seed), seed);
		}
		finally {
			((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io.whizbang.worker")).setLevel(null);
		}
	}

	private void run(ChaosDatabase database, HikariDataSource pool, Random random, long seed) throws Exception {
		Firings firings = Firings.watch(database.jdbc());
		Workload workload = Workload.hunt(seed, Set.of())
			.withAttacks(PAUSE, Attack.JOIN, Attack.JOIN, Attack.JOIN, Attack.LEAVE, Attack.KILL, Attack.KILL,
					Attack.PAUSE, Attack.PAUSE, Attack.CUT);
		Monkey monkey = new Monkey(workload, () -> instance(database, workload, random),
				new Sessions(database.database().unpooledDataSource()), database.jdbc(), new Random(random.nextLong()));
		monkey.populate(3);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<?>> schedulers = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				Random own = new Random(random.nextLong());
				schedulers.add(threads.submit(() -> schedule(pool, own, TIMERS / 2)));
			}
			long start = System.nanoTime();
			while (System.nanoTime() - start < FIGHT.toNanos() || !schedulers.stream().allMatch(Future::isDone)) {
				monkey.attack();
				TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
			}
			for (Future<?> scheduler : schedulers) {
				scheduler.get();
			}
			monkey.rest();
			Await.until(() -> "the rest of the timers", Duration.ofSeconds(60), () -> database
				.count("(select from whizbang.wh_messages union all select from whizbang.wh_scheduled) waiting") == 0);
		}
		finally {
			threads.shutdownNow();
			monkey.end(true);
		}
		logger.info("Seed {}: {} timers, late by {} ms at the median and {} ms at p99, attacks {}", seed,
				this.expected.size(), firings.late(0.5), firings.late(0.99), monkey);
		check(firings);
	}

	private void check(Firings firings) {
		Map<TimerId, Integer> fired = firings.counts();
		Map<TimerId, Instant> dues = firings.dues();
		this.expected.forEach((id, due) -> {
			if (fired.getOrDefault(id, 0) != 1) {
				this.wrong.add(id + " fired " + fired.getOrDefault(id, 0) + " times");
			}
			else if (!due.equals(dues.get(id))) {
				this.wrong.add(id + " fired for " + dues.get(id) + " instead of " + due);
			}
			if (this.deliveries.first(id.value()) == null) {
				this.wrong.add(id + " was not delivered");
			}
		});
		assertThat(this.wrong).isEmpty();
		assertThat(fired.keySet()).doesNotContainAnyElementsOf(this.gone).hasSameSizeAs(this.expected.keySet());
		assertThat(this.expected.size() + this.gone.size()).isGreaterThanOrEqualTo(TIMERS);
		assertThat(firings.early()).as("fired early").isZero();
		assertThat(this.findings.isEmpty()).as(this.findings.toString()).isTrue();
	}

	private Instance instance(ChaosDatabase database, Workload workload, Random random) {
		return new Instance("instance-" + this.instances.incrementAndGet(), database, workload, this.deliveries,
				this.acceptances, this.findings, new Random(random.nextLong()), false);
	}

	private void schedule(HikariDataSource pool, Random random, int count) {
		Timers timers = new JdbcTimers(new JdbcTimerStore(pool, ChaosDatabase.SCHEMA),
				new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE, MessageObservations.NONE,
				TimerSettings.defaults(), WorkSignal.NONE);
		TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
		Instant begun = new JdbcTemplate(pool).queryForObject("select clock_timestamp()",
				(rows, number) -> rows.getTimestamp(1).toInstant());
		long start = System.nanoTime();
		Supplier<Instant> soon = () -> begun.plusMillis(
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + random.nextInt((int) FIGHT.toMillis()));
		List<TimerId> mine = new ArrayList<>();
		while (mine.size() < count) {
			List<NewTimer> next = new ArrayList<>();
			List<Instant> dues = new ArrayList<>();
			for (int i = random.nextInt(60); i >= 0; i--) {
				dues.add(soon.get());
				next.add(NewTimer.to("plain", i).at(dues.get(dues.size() - 1)).build());
			}
			boolean regrets = random.nextInt(20) == 0;
			List<TimerId> ids = transactions.execute((status) -> {
				if (regrets) {
					status.setRollbackOnly();
				}
				return timers.scheduleAll(next);
			});
			for (int i = 0; i < ids.size(); i++) {
				if (regrets) {
					this.gone.add(ids.get(i));
				}
				else {
					this.expected.put(ids.get(i), dues.get(i));
					mine.add(ids.get(i));
				}
			}
			change(timers, transactions, random, soon, mine);
		}
	}

	/** Cancels and moves some, perhaps in the moment in which they fire. */
	private void change(Timers timers, TransactionTemplate transactions, Random random, Supplier<Instant> soon,
			List<TimerId> mine) {
		for (int i = 0; i < 3 && !mine.isEmpty(); i++) {
			TimerId id = mine.get(Math.max(0, mine.size() - 1 - random.nextInt(3000)));
			boolean moves = random.nextBoolean();
			Instant due = soon.get();
			boolean regrets = random.nextInt(4) == 0;
			Boolean changed = transactions.execute((status) -> {
				if (regrets) {
					status.setRollbackOnly();
				}
				return moves ? timers.reschedule(id, due) : timers.cancel(id);
			});
			if (!Boolean.TRUE.equals(changed)) {
				continue;
			}
			if (this.gone.contains(id)) {
				this.wrong.add(id + " was changed after it was cancelled");
			}
			else if (!regrets && moves) {
				this.expected.put(id, due);
			}
			else if (!regrets) {
				this.expected.remove(id);
				this.gone.add(id);
			}
		}
	}

}

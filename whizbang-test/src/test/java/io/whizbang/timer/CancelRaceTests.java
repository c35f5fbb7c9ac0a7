package io.whizbang.timer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timers are cancelled and moved while they fire: what the caller is told is the truth.
 */
@PostgresTest
class CancelRaceTests {

	private static final Logger logger = LoggerFactory.getLogger(CancelRaceTests.class);

	private static final int ROUNDS = 40;

	private static final int TIMERS = 60;

	private final PostgresDatabase database;

	private final Timers timers;

	private final TransactionTemplate transactions;

	private final Firings firings;

	CancelRaceTests(PostgresDatabase database) {
		this.database = database;
		TimerFixture.install(database);
		this.firings = Firings.watch(database.jdbc());
		this.timers = TimerFixture.timers(database.dataSource(), WorkSignal.NONE);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
	}

	@Test
	void whatACancelSaysIsTheTruth() throws Exception {
		long seed = ThreadLocalRandom.current().nextLong(1L << 32);
		logger.info("Cancels race with seed {}", seed);
		Random random = new Random(seed);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		Map<TimerId, Boolean> cancelled = new HashMap<>();
		Set<TimerId> regretted = new HashSet<>();
		try (TimerWorker one = new TimerWorker(this.database); TimerWorker other = new TimerWorker(this.database)) {
			for (int round = 0; round < ROUNDS; round++) {
				List<NewTimer> due = new ArrayList<>();
				for (int i = 0; i < TIMERS; i++) {
					due.add(NewTimer.to("test", i).after(Duration.ofMillis(5 + random.nextInt(20))).build());
				}
				List<TimerId> ids = this.timers.scheduleAll(due);
				one.look();
				Map<TimerId, Future<Boolean>> answers = new HashMap<>();
				for (TimerId id : ids) {
					boolean regrets = random.nextInt(5) == 0;
					boolean slow = random.nextInt(20) == 0;
					if (regrets) {
						regretted.add(id);
					}
					answers.put(id, threads.submit(cancel(id, regrets, slow)));
				}
				for (Map.Entry<TimerId, Future<Boolean>> answer : answers.entrySet()) {
					cancelled.put(answer.getKey(), answer.getValue().get());
				}
			}
			one.look();
			Await.until("all have fired or are gone", () -> this.timers.count(1) == 0);
			Map<TimerId, Integer> fired = this.firings.counts();
			int wins = 0;
			for (Map.Entry<TimerId, Boolean> answer : cancelled.entrySet()) {
				boolean gone = answer.getValue() && !regretted.contains(answer.getKey());
				wins += gone ? 1 : 0;
				assertThat(fired.getOrDefault(answer.getKey(), 0)).as("firings of %s, seed %d", answer.getKey(), seed)
					.isEqualTo(gone ? 0 : 1);
			}
			logger.info("{} of {} were cancelled in time", wins, cancelled.size());
			assertThat(wins).as("both sides win now and then").isBetween(1, cancelled.size() - 1);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.firings.early()).isZero();
	}

	private Callable<Boolean> cancel(TimerId id, boolean regrets, boolean slow) {
		return () -> this.transactions.<Boolean>execute((status) -> {
			boolean answer = this.timers.cancel(id);
			if (slow) {
				this.database.jdbc().execute("select pg_sleep(0.03)");
			}
			if (regrets) {
				status.setRollbackOnly();
			}
			return answer;
		});
	}

}

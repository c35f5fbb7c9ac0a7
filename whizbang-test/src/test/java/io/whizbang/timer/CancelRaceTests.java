package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timers are cancelled and moved while they fire: what the caller is told is the truth.
 * One that was moved fires once, for its new time.
 */
@PostgresTest
class CancelRaceTests {

	private static final Logger logger = LoggerFactory.getLogger(CancelRaceTests.class);

	private static final int ROUNDS = 40;

	private static final int TIMERS = 60;

	private static final Duration MOVED = Duration.ofMillis(50);

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
		race("cancelled", (id, due) -> this.timers.cancel(id), (due) -> null);
	}

	@Test
	void whatAMoveSaysIsTheTruth() throws Exception {
		race("moved", (id, due) -> this.timers.reschedule(id, due.plus(MOVED)), (due) -> due.plus(MOVED));
	}

	/**
	 * Changes timers when they fire.
	 * @param what what becomes of them
	 * @param change changes one that is due at that time
	 * @param changed when it has to fire instead, or {@code null} for never
	 */
	private void race(String what, BiPredicate<TimerId, Instant> change, Function<Instant, @Nullable Instant> changed)
			throws Exception {
		long seed = ThreadLocalRandom.current().nextLong(1L << 32);
		logger.info("Timers are {} with seed {}", what, seed);
		Random random = new Random(seed);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		Map<TimerId, Instant> expected = new HashMap<>();
		int all = 0;
		int wins = 0;
		try (TimerWorker one = new TimerWorker(this.database); TimerWorker other = new TimerWorker(this.database)) {
			for (int round = 0; round < ROUNDS; round++) {
				Instant now = now();
				List<NewTimer> timers = new ArrayList<>();
				List<Instant> dues = new ArrayList<>();
				for (int i = 0; i < TIMERS; i++) {
					dues.add(now.plusMillis(5 + random.nextInt(20)));
					timers.add(NewTimer.to("test", i).at(dues.get(i)).build());
				}
				List<TimerId> ids = this.timers.scheduleAll(timers);
				one.look();
				List<Boolean> regrets = new ArrayList<>();
				List<Future<Boolean>> answers = new ArrayList<>();
				for (int i = 0; i < TIMERS; i++) {
					TimerId id = ids.get(i);
					Instant due = dues.get(i);
					regrets.add(random.nextInt(5) == 0);
					answers.add(threads
						.submit(inTransaction(() -> change.test(id, due), regrets.get(i), random.nextInt(20) == 0)));
				}
				for (int i = 0; i < TIMERS; i++) {
					boolean won = answers.get(i).get() && !regrets.get(i);
					Instant due = won ? changed.apply(dues.get(i)) : dues.get(i);
					if (due != null) {
						expected.put(ids.get(i), due);
					}
					wins += won ? 1 : 0;
					all++;
				}
			}
			one.look();
			Await.until("all have fired or are gone", () -> this.timers.count(1) == 0);
		}
		finally {
			threads.shutdownNow();
		}
		logger.info("{} of {} were {} in time", wins, all, what);
		assertThat(this.firings.counts()).as("firings, seed %d", seed)
			.allSatisfy((id, times) -> assertThat(times).as("of %s", id).isOne());
		assertThat(this.firings.dues()).as("what fired and for which time, seed %d", seed)
			.containsExactlyInAnyOrderEntriesOf(expected);
		assertThat(wins).as("both sides win now and then").isBetween(1, all - 1);
		assertThat(this.firings.early()).isZero();
	}

	/** In microseconds, as the database has it. */
	private Instant now() {
		return this.database.jdbc()
			.queryForObject("select clock_timestamp()", (rows, number) -> rows.getTimestamp(1).toInstant());
	}

	private Callable<Boolean> inTransaction(BooleanSupplier change, boolean regrets, boolean slow) {
		return () -> this.transactions.<Boolean>execute((status) -> {
			boolean answer = change.getAsBoolean();
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

package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions with a business row and a message each, while messages are delivered.
 */
final class Steady {

	private static final int STREAMS = 20_000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final AtomicLong committed = new AtomicLong();

	Steady(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.jdbc.execute(
				"create table if not exists business (id bigint generated always as identity, what text not null)");
	}

	/**
	 * Runs producers at full speed.
	 * @param contender what they use
	 * @param producers how many
	 * @param time how long
	 * @return committed transactions per second
	 */
	double produce(Contender contender, int producers, Duration time) throws InterruptedException {
		this.committed.set(0);
		long start = System.nanoTime();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < producers; i++) {
			Thread thread = new Thread(() -> {
				while (System.nanoTime() - start < time.toNanos()) {
					transaction(contender);
				}
			}, "producer-" + i);
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
		return this.committed.get() / ((System.nanoTime() - start) / 1e9);
	}

	/** Runs one producer that commits at regular times. */
	void trickle(Contender contender, int perSecond, Duration time) {
		long start = System.nanoTime();
		long pause = 1_000_000_000L / perSecond;
		for (long next = start; next - start < time.toNanos(); next += pause) {
			while (System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
			transaction(contender);
		}
	}

	long committed() {
		return this.committed.get();
	}

	private void transaction(Contender contender) {
		String stream = "stream-" + ThreadLocalRandom.current().nextInt(STREAMS);
		this.transactions.executeWithoutResult((status) -> {
			this.jdbc.update("insert into business (what) values (?)", stream);
			contender.enqueue(stream, new Payload(0, stream, System.nanoTime(), Payload.TEXT));
		});
		contender.committed();
		this.committed.incrementAndGet();
	}

}

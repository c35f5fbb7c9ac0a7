package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions with a business row and a message each, while messages are delivered.
 */
public final class Steady {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final Messages messages;

	private final AtomicLong committed = new AtomicLong();

	public Steady(DataSource dataSource) {
		this(dataSource, new RandomStreams());
	}

	/**
	 * Creates producers.
	 * @param dataSource where they write
	 * @param messages what they send
	 */
	public Steady(DataSource dataSource, Messages messages) {
		this.messages = messages;
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
	public double produce(Contender contender, int producers, Duration time) throws InterruptedException {
		this.committed.set(0);
		long start = System.nanoTime();
		List<Thread> threads = new ArrayList<>();
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		for (int i = 0; i < producers; i++) {
			int producer = i;
			Thread thread = new Thread(() -> {
				while (System.nanoTime() - start < time.toNanos()) {
					transaction(contender, producer);
				}
			}, "producer-" + i);
			thread.setUncaughtExceptionHandler((failed, ex) -> failure.set(ex));
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
		Throwable ex = failure.get();
		if (ex != null) {
			throw new IllegalStateException("A producer has failed", ex);
		}
		return this.committed.get() / ((System.nanoTime() - start) / 1e9);
	}

	/** Runs one producer that commits at regular times. */
	public void trickle(Contender contender, int perSecond, Duration time) {
		long start = System.nanoTime();
		long pause = 1_000_000_000L / perSecond;
		for (long next = start; next - start < time.toNanos(); next += pause) {
			while (System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
			transaction(contender, 0);
		}
	}

	public long committed() {
		return this.committed.get();
	}

	private void transaction(Contender contender, int producer) {
		Payload payload = this.transactions.execute((status) -> {
			this.jdbc.update("insert into business (what) values (?)", "an order");
			Payload next = this.messages.next(producer);
			contender.enqueue(next.stream(), next);
			return next;
		});
		this.messages.committed(payload);
		contender.committed();
		this.committed.incrementAndGet();
	}

	/** What producers send. */
	public interface Messages {

		/**
		 * Makes the next message of a producer.
		 * @param producer its number
		 * @return the message
		 */
		Payload next(int producer);

		/** Hears that a message's transaction has committed, on its producer's thread. */
		default void committed(Payload payload) {
		}

	}

	private static final class RandomStreams implements Messages {

		private static final int STREAMS = 20_000;

		@Override
		public Payload next(int producer) {
			String stream = "stream-" + ThreadLocalRandom.current().nextInt(STREAMS);
			return new Payload(0, stream, System.nanoTime(), Payload.TEXT);
		}

	}

}

package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * How fast producers append events, beside a bare insert of the same rows. A transaction
 * does nothing else.
 */
final class AppendComparison {

	static final String ONE = "append 1 event, events/s: ";

	static final String TEN = "append 10 events at once, events/s: ";

	private static final int PRODUCERS = 8;

	private static final int STREAMS = 20_000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final EventStore store;

	private final RawEvents raw;

	AppendComparison(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.store = WhizbangPerspectives.store(dataSource, EventSignal.NONE);
		this.raw = new RawEvents(this.jdbc, STREAMS);
	}

	void run(int rounds, Duration time, Measurements measurements) throws InterruptedException {
		EventLoad.clear(this.jdbc);
		this.raw.clear();
		for (int i = 0; i < 2; i++) {
			measure(time, new Measurements());
		}
		for (int round = 0; round < rounds; round++) {
			measure(time, measurements);
		}
		EventLoad.clear(this.jdbc);
		this.raw.clear();
	}

	private void measure(Duration time, Measurements measurements) throws InterruptedException {
		for (String name : List.of(ONE, TEN)) {
			int count = name.equals(ONE) ? 1 : 10;
			this.jdbc.execute("checkpoint");
			measurements.add(name + "raw loop", produce(this.raw::append, count, time));
			this.jdbc.execute("checkpoint");
			measurements.add(name + "whizbang", produce(this::append, count, time));
		}
	}

	private void append(int stream, StreamId id, List<Sold> events) {
		this.store.append(id, ExpectedVersion.any(), events);
	}

	private double produce(Append append, int count, Duration time) throws InterruptedException {
		AtomicLong committed = new AtomicLong();
		long start = System.nanoTime();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < PRODUCERS; i++) {
			Thread thread = new Thread(() -> {
				while (System.nanoTime() - start < time.toNanos()) {
					int stream = ThreadLocalRandom.current().nextInt(STREAMS);
					List<Sold> events = IntStream.range(0, count).mapToObj(Sold::of).toList();
					this.transactions
						.executeWithoutResult((status) -> append.run(stream, EventLoad.stream(stream), events));
					committed.addAndGet(count);
				}
			}, "producer-" + i);
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
		return committed.get() / ((System.nanoTime() - start) / 1e9);
	}

	/** Appends events in the current transaction. */
	private interface Append {

		void run(int stream, StreamId id, List<Sold> events);

	}

}

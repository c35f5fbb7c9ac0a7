package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.whizbang.event.Appended;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.perspective.PerspectiveListener;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How long it takes at a low rate until an appended event can be read in the model, as
 * the one sees it who appends and waits.
 */
final class VisibleComparison {

	static final String P50 = "20/s, ms from append to visible p50: ";

	static final String P99 = "20/s, ms from append to visible p99: ";

	private static final long PAUSE = Duration.ofMillis(50).toNanos();

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int STREAMS = 2000;

	private final DataSource dataSource;

	private final SalesModel model;

	VisibleComparison(DataSource dataSource) {
		this.dataSource = dataSource;
		this.model = new SalesModel(dataSource);
	}

	void run(int rounds, Duration time, Measurements measurements) throws InterruptedException {
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		EventLoad.clear(jdbc);
		this.model.drop(SalesPerspective.NAME);
		measure(time, new Measurements());
		for (int round = 0; round < rounds; round++) {
			measure(time, measurements);
		}
	}

	private void measure(Duration time, Measurements measurements) throws InterruptedException {
		try (RawProjection raw = new RawProjection(this.dataSource, this.model)) {
			EventStore store = WhizbangPerspectives.store(this.dataSource, (EventSignal) (appended) -> raw.wake());
			raw.start();
			add("raw loop", trickle(store, time, (appended) -> raw.await(appended.lastPosition())), measurements);
		}
		try (WhizbangPerspectives whizbang = new WhizbangPerspectives(this.dataSource, new SalesPerspective(this.model),
				PerspectiveListener.NONE)) {
			whizbang.start();
			add("whizbang", trickle(whizbang.store(), time, (appended) -> {
				if (!whizbang.perspectives().await(SalesPerspective.NAME, appended, PATIENCE)) {
					throw new IllegalStateException(appended + " is not visible after " + PATIENCE);
				}
			}), measurements);
		}
	}

	private static long[] trickle(EventStore store, Duration time, Wait wait) throws InterruptedException {
		// What went before must be done, or the first ones would wait for it.
		wait.until(append(store));
		List<Long> latencies = new ArrayList<>();
		long start = System.nanoTime();
		for (long next = start; next - start < time.toNanos(); next += PAUSE) {
			while (System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
			long begin = System.nanoTime();
			wait.until(append(store));
			latencies.add(System.nanoTime() - begin);
		}
		return latencies.stream().mapToLong(Long::longValue).sorted().toArray();
	}

	private static Appended append(EventStore store) {
		int number = ThreadLocalRandom.current().nextInt(STREAMS);
		return store.append(EventLoad.stream(number), ExpectedVersion.any(), List.of(Sold.of(number)));
	}

	private static void add(String name, long[] sorted, Measurements measurements) {
		measurements.add(P50 + name, sorted[sorted.length / 2] / 1e6);
		measurements.add(P99 + name, sorted[sorted.length * 99 / 100] / 1e6);
	}

	/** Waits until an event can be read. */
	private interface Wait {

		void until(Appended appended) throws InterruptedException;

	}

}

package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveRun;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How fast a read model catches up with all events.
 */
final class ProjectionComparison {

	static final String PROJECTION = "projection, events/s: ";

	private static final int WARM_UPS = 4;

	private static final int STREAMS = 2000;

	private static final int BURST = 5;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final SalesModel model;

	private final int events;

	ProjectionComparison(DataSource dataSource, int events) {
		this.dataSource = dataSource;
		this.jdbc = new JdbcTemplate(dataSource);
		this.model = new SalesModel(dataSource);
		this.events = events;
	}

	void run(int rounds, Measurements measurements) throws InterruptedException {
		EventLoad.clear(this.jdbc);
		EventLoad.run(this.jdbc, this.events, STREAMS, BURST);
		try (RawProjection raw = new RawProjection(this.dataSource, this.model)) {
			for (int i = 0; i < WARM_UPS; i++) {
				measure(raw, new Measurements());
			}
			for (int round = 0; round < rounds; round++) {
				measure(raw, measurements);
			}
		}
	}

	private void measure(RawProjection raw, Measurements measurements) throws InterruptedException {
		this.jdbc.execute("checkpoint");
		measurements.add(PROJECTION + "raw loop", byHand(raw));
		check(RawProjection.TABLE);
		this.jdbc.execute("checkpoint");
		measurements.add(PROJECTION + "whizbang", byPerspective());
		check(SalesPerspective.NAME);
	}

	private double byHand(RawProjection raw) throws InterruptedException {
		Long last = this.jdbc.queryForObject("select max(position) from whizbang.wh_events", Long.class);
		long start = System.nanoTime();
		raw.start();
		raw.await((last != null) ? last : 0);
		double seconds = (System.nanoTime() - start) / 1e9;
		raw.stop();
		return this.events / seconds;
	}

	private double byPerspective() throws InterruptedException {
		EventLoad.forgetPerspectives(this.jdbc);
		this.model.drop(SalesPerspective.NAME);
		Applied applied = new Applied(this.events);
		try (WhizbangPerspectives whizbang = new WhizbangPerspectives(this.dataSource, new SalesPerspective(this.model),
				applied)) {
			long start = System.nanoTime();
			whizbang.start();
			applied.await();
			return this.events / ((System.nanoTime() - start) / 1e9);
		}
	}

	private void check(String table) {
		long wrong = this.model.wrong(table);
		if (wrong != 0) {
			throw new IllegalStateException(wrong + " rows of the model " + table + " are wrong");
		}
	}

	/** Counts committed events until all are there. */
	private static final class Applied implements PerspectiveListener {

		private final AtomicLong left;

		private final CountDownLatch done = new CountDownLatch(1);

		Applied(int events) {
			this.left = new AtomicLong(events);
		}

		@Override
		public void applied(PerspectiveRun run, int applied, int passed, Duration took) {
			if (this.left.addAndGet(-applied) <= 0) {
				this.done.countDown();
			}
		}

		void await() throws InterruptedException {
			if (!this.done.await(5, TimeUnit.MINUTES)) {
				throw new IllegalStateException("The perspective has not applied " + this.left + " events");
			}
		}

	}

}

package io.whizbang.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.perspective.PerspectiveStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The application that is rebuilt: builds its model, begins to append, rebuilds beside,
 * and looks at what it has after the switch.
 */
public final class RebuildProcess {

	private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

	private static final Duration AFTER_SWITCH = Duration.ofSeconds(5);

	private final WhizbangPerspectives whizbang;

	private final JdbcTemplate jdbc;

	private final SalesModel model;

	private final int streams;

	private final long pause;

	private final AtomicBoolean appending = new AtomicBoolean(true);

	private final AtomicLong appended = new AtomicLong();

	private final AtomicReference<@Nullable PerspectiveRun> switched = new AtomicReference<>();

	private RebuildProcess(HikariDataSource pool, int streams, int rate) {
		this.jdbc = new JdbcTemplate(pool);
		this.model = new SalesModel(pool);
		this.streams = streams;
		this.pause = Duration.ofSeconds(1).toNanos() / rate;
		this.whizbang = new WhizbangPerspectives(pool, new SalesPerspective(this.model), new PerspectiveListener() {
			@Override
			public void switched(PerspectiveRun from, PerspectiveRun to) {
				RebuildProcess.this.switched.set(to);
			}
		});
	}

	public static void main(String[] arguments) throws InterruptedException {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(arguments[0]);
		config.setMaximumPoolSize(16);
		boolean whole;
		try (HikariDataSource pool = new HikariDataSource(config)) {
			whole = new RebuildProcess(pool, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])).run();
		}
		System.out.println(whole ? "END nothing is missing" : "END something is missing");
		System.exit(whole ? 0 : 1);
	}

	private boolean run() throws InterruptedException {
		long start = System.nanoTime();
		this.whizbang.start();
		await("first build", () -> isBuilt(1));
		told("first build", start);
		Thread producer = new Thread(this::produce, "producer");
		producer.start();
		start = System.nanoTime();
		PerspectiveRun run = this.whizbang.perspectives().rebuildBeside(SalesPerspective.NAME);
		await("rebuild", () -> this.switched.get() != null);
		told("rebuild beside, " + this.appended + " events appended meanwhile", start);
		long behind = behind(run);
		System.out.println("rows of the new model that were behind the old one at the switch: " + behind);
		LockSupport.parkNanos(AFTER_SWITCH.toNanos());
		this.appending.set(false);
		producer.join();
		await("the last events", () -> isBuilt(run.run()));
		long wrong = this.model.wrong(run.table(SalesPerspective.NAME));
		System.out.printf("rows of the new model that are not what %d events say: %d; heap after collection %d MB%n",
				count("whizbang.wh_events"), wrong, heap());
		this.whizbang.close();
		return behind == 0 && wrong == 0 && this.whizbang.perspectives().serving(SalesPerspective.NAME).equals(run);
	}

	private void produce() {
		long next = System.nanoTime();
		while (this.appending.get()) {
			LockSupport.parkNanos(next - System.nanoTime());
			next += this.pause;
			int number = ThreadLocalRandom.current().nextInt(this.streams);
			this.whizbang.store().append(EventLoad.stream(number), ExpectedVersion.any(), List.of(Sold.of(number)));
			this.appended.incrementAndGet();
		}
	}

	private void await(String what, Condition condition) {
		long nextLook = System.nanoTime() + BETWEEN_LOOKS.toNanos();
		while (!condition.holds()) {
			LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
			if (System.nanoTime() - nextLook > 0) {
				nextLook = System.nanoTime() + BETWEEN_LOOKS.toNanos();
				for (PerspectiveStatus status : this.whizbang.perspectives().status()) {
					System.out.printf("%s: run %d %s %d of %d, %.0f/s, %s left, heap after collection %d MB%n", what,
							status.run().run(), status.state(), status.done(), status.total(), status.rate(),
							status.timeLeft(), heap());
				}
			}
		}
	}

	private boolean isBuilt(int run) {
		return this.whizbang.perspectives()
			.status()
			.stream()
			.anyMatch((status) -> status.run().run() == run && status.behind() == 0 && status.total() > 0);
	}

	/**
	 * The old model stands still since the switch, so the new one must have all of it.
	 */
	private long behind(PerspectiveRun run) {
		return count("%s o left join %s n on n.stream_id = o.stream_id where n.events is null or n.events < o.events"
			.formatted(SalesPerspective.NAME, run.table(SalesPerspective.NAME)));
	}

	private long count(String what) {
		Long count = this.jdbc.queryForObject("select count(*) from " + what, Long.class);
		return (count != null) ? count : -1;
	}

	private void told(String what, long start) {
		double seconds = (System.nanoTime() - start) / 1e9;
		System.out.printf("%s: %.1f s, %.0f events/s%n", what, seconds, count("whizbang.wh_events") / seconds);
	}

	private static long heap() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
	}

	/** Something to wait for. */
	private interface Condition {

		boolean holds();

	}

}

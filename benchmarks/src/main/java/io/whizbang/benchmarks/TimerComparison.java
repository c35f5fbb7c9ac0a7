package io.whizbang.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Timers beside db-scheduler: many at one instant, few at a time, and what a round costs
 * with many pending. Late is what the clock says when the handler is called; database and
 * application share it here.
 */
public final class TimerComparison {

	public static final String FINISH = "10 000 timers at once, ms to finish: ";

	static final String BURST_P99 = "10 000 timers at once, ms late p99: ";

	public static final String P50 = "20 timers/s 2 s ahead, ms late p50: ";

	public static final String P99 = "20 timers/s 2 s ahead, ms late p99: ";

	static final String FEW = "ms of a round, 1 000 timers pending";

	static final String MANY = "ms of a round, 1 000 000 timers pending";

	private static final int BURST = 10_000;

	private static final int TOGETHER = 1_000;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	public TimerComparison(DataSource dataSource) {
		this.dataSource = dataSource;
		this.jdbc = new JdbcTemplate(dataSource);
	}

	public void run(int rounds, Duration trickle, Measurements measurements) {
		try (DbSchedulerTimers scheduler = new DbSchedulerTimers(this.dataSource);
				WhizbangTimers whizbang = new WhizbangTimers(this.dataSource)) {
			List<TimerContender> contenders = List.of(scheduler, whizbang);
			for (int i = 0; i < 3; i++) {
				contenders.forEach((contender) -> burst(contender, new Measurements()));
			}
			for (int round = 0; round < rounds; round++) {
				for (TimerContender contender : contenders) {
					burst(contender, measurements);
				}
				for (TimerContender contender : contenders) {
					trickle(contender, trickle, measurements);
				}
			}
		}
		measureRounds(measurements);
	}

	private void burst(TimerContender contender, Measurements measurements) {
		this.jdbc.execute("vacuum scheduled_tasks, whizbang.wh_scheduled, whizbang.wh_outbox, whizbang.wh_claims");
		this.jdbc.execute("checkpoint");
		Queue<Double> late = new ConcurrentLinkedQueue<>();
		AtomicInteger fired = new AtomicInteger();
		contender.start((due) -> {
			late.add(millis(due));
			fired.incrementAndGet();
		});
		Instant due = Instant.now().plusSeconds(6).truncatedTo(ChronoUnit.MILLIS);
		for (int i = 0; i < BURST; i += TOGETHER) {
			contender.schedule(java.util.Collections.nCopies(TOGETHER, due));
		}
		// A plan that was made while the table was empty would be a bad one, and an
		// accident.
		this.jdbc.execute("analyze scheduled_tasks, whizbang.wh_scheduled");
		if (millis(due) > -1000) {
			throw new IllegalStateException(contender.name() + " took too long to schedule its timers");
		}
		await(fired, BURST);
		contender.stop();
		List<Double> sorted = late.stream().sorted().toList();
		measurements.add(FINISH + contender.name(), sorted.get(sorted.size() - 1));
		measurements.add(BURST_P99 + contender.name(), percentile(sorted, 0.99));
		requireNoneEarly(contender, sorted);
	}

	private void trickle(TimerContender contender, Duration time, Measurements measurements) {
		Queue<Double> late = new ConcurrentLinkedQueue<>();
		AtomicInteger fired = new AtomicInteger();
		contender.start((due) -> {
			late.add(millis(due));
			fired.incrementAndGet();
		});
		int count = (int) time.toSeconds() * 20;
		long next = System.nanoTime();
		for (int i = 0; i < count; i++) {
			contender.schedule(List.of(Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.MICROS)));
			next += Duration.ofMillis(50).toNanos();
			LockSupport.parkNanos(next - System.nanoTime());
		}
		await(fired, count);
		contender.stop();
		List<Double> sorted = late.stream().sorted().toList();
		measurements.add(P50 + contender.name(), percentile(sorted, 0.5));
		measurements.add(P99 + contender.name(), percentile(sorted, 0.99));
		requireNoneEarly(contender, sorted);
	}

	/** What an instance pays that looks and finds nothing due. */
	private void measureRounds(Measurements measurements) {
		for (int pending : List.of(1_000, 1_000_000)) {
			this.jdbc.execute("truncate whizbang.wh_scheduled");
			this.jdbc
				.update("""
						insert into whizbang.wh_scheduled
						    (queue, due_at, timer_due, partition_hash, size, message_id, topic, message_type, headers, payload)
						select 1, t.due, t.due, n % 10000, 2, gen_random_uuid(), 'timers', 'Test', '{}', '{}'
						from generate_series(1, ?) n
						     cross join lateral (select clock_timestamp() + interval '1 hour' + n * interval '1 ms' as due) t""",
						pending);
			this.jdbc.execute("vacuum analyze whizbang.wh_scheduled");
			this.jdbc.execute("checkpoint");
			measurements.add((pending == 1_000) ? FEW : MANY, round());
		}
		this.jdbc.execute("truncate whizbang.wh_scheduled");
	}

	private double round() {
		JdbcWorkCoordinator coordinator = new JdbcWorkCoordinator(this.dataSource, WhizbangTimers.SCHEMA,
				CoordinatorSettings.defaults());
		UUID instance = coordinator.register(new InstanceInfo("benchmark", "localhost", 1, Map.of()),
				Set.of(io.whizbang.work.Queue.OUTBOX));
		List<Double> took = new ArrayList<>();
		String memory = null;
		for (int i = 0; i < 2_000; i++) {
			long start = System.nanoTime();
			WorkBatch batch = coordinator.exchange(instance, io.whizbang.work.Queue.OUTBOX, WorkReport.nothing(),
					WorkRequest.upTo(1000, memory));
			took.add((System.nanoTime() - start) / 1e6);
			memory = batch.memory();
		}
		coordinator.leave(instance);
		return percentile(took.subList(1_000, 2_000).stream().sorted().toList(), 0.5);
	}

	private static double millis(Instant due) {
		return ChronoUnit.MICROS.between(due, Instant.now()) / 1e3;
	}

	private static double percentile(List<Double> sorted, double percentile) {
		return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * percentile)));
	}

	private static void requireNoneEarly(TimerContender contender, List<Double> sorted) {
		if (sorted.get(0) < 0) {
			throw new IllegalStateException(contender.name() + " fired " + -sorted.get(0) + " ms early");
		}
	}

	private static void await(AtomicInteger fired, int count) {
		long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
		while (fired.get() < count) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Lost " + (count - fired.get()) + " timers");
			}
			LockSupport.parkNanos(1_000_000);
		}
	}

}

package io.whizbang.fanout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.process.ChildProcess;
import io.whizbang.work.Queue;
import io.whizbang.worker.Membership;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A process that handles slices, and plans them when it is told to. One that is doomed
 * goes no further than the middle of its run, and than a slice that it has half handled.
 */
final class FanoutProcess {

	static final String DOOMED = "doomed";

	/** Silence is noticed soon, so that the test need not wait for long. */
	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofSeconds(30),
			Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(3), 10_000, null, false, false);

	private static final FanoutSettings SETTINGS = FanoutFixture.SETTINGS.withLease(Duration.ofSeconds(1))
		.withPageSize(100);

	/** Asked when told to; a slice is due when the one before is completed. */
	private static final FanoutSchedule ALWAYS = FanoutSchedule.defaults()
		.withInterval(Duration.ofHours(1))
		.withPolicy(Duration.ZERO, Duration.ZERO);

	private static final int CONCURRENCY = 4;

	private final CountDownLatch never = new CountDownLatch(1);

	private final AtomicInteger handled = new AtomicInteger();

	private final String name;

	private final int shards;

	private final HikariDataSource pool;

	private FanoutProcess(String name, int shards, HikariDataSource pool) {
		this.name = name;
		this.shards = shards;
		this.pool = pool;
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, the name of the process, and how
	 * many shards there are
	 */
	public static void main(String[] arguments) {
		HikariDataSource pool = ChildProcess.dataSource(arguments, arguments[2]);
		pool.setMaximumPoolSize(CONCURRENCY + 5);
		FanoutProcess process = new FanoutProcess(arguments[2], Integer.parseInt(arguments[3]), pool);
		FanoutInstance instance = new FanoutInstance(pool, process.name, SETTINGS, () -> null, null,
				FanoutFixture.planner("etl", ALWAYS, process::candidates));
		process.deliver(instance);
		ChildProcess.obey((command) -> instance.worker.start());
	}

	private void deliver(FanoutInstance instance) {
		Membership membership = new Membership(new JdbcWorkCoordinator(this.pool, FanoutFixture.SCHEMA, RULES), RULES,
				new InstanceInfo(this.name, "localhost", ProcessHandle.current().pid(), Map.of()), Queue.OUTBOX);
		WorkerSettings settings = WorkerSettings.defaults()
			.withBatchSize(100)
			.withConcurrency(CONCURRENCY)
			.withPoll(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(200));
		new Worker(new WorkPump(instance.slices(new Handler()), membership, settings, Executors.newCachedThreadPool(),
				() -> false))
			.start();
	}

	private Stream<FanoutCandidate> candidates() {
		return IntStream.range(0, this.shards).mapToObj((i) -> {
			if (i == this.shards / 2) {
				stopIfDoomed("in the middle");
			}
			return new FanoutCandidate("shard-" + i, "work");
		});
	}

	private void stopIfDoomed(String where) {
		if (this.name.equals(DOOMED)) {
			ChildProcess.say(where);
			try {
				this.never.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	final class Handler {

		private final JdbcTemplate jdbc = new JdbcTemplate(FanoutProcess.this.pool);

		@FanoutHandler(topic = "etl", workKey = "work")
		void handle(FanoutSlice slice) {
			this.jdbc.update("insert into done values (?, ?::timestamptz, ?::timestamptz, ?)", slice.shardKey(),
					slice.payload().get("windowStart"), slice.payload().get("windowEnd"), FanoutProcess.this.name);
			if (FanoutProcess.this.handled.incrementAndGet() == FanoutProcess.this.shards / 20) {
				stopIfDoomed("at a slice");
			}
		}

	}

}

package io.whizbang.benchmarks.chaos;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.Membership;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

/**
 * An instance: the real worker in a process of its own, until it is told to stop.
 */
public final class DeliveryProcess {

	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofSeconds(5),
			Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10), 10_000, null, false, false);

	private static final int CONCURRENCY = 4;

	private DeliveryProcess() {
	}

	public static void main(String[] arguments) throws InterruptedException {
		String url = arguments[0];
		WorkerLifecycle lifecycle = lifecycle(url, pool(url), Executors.newFixedThreadPool(CONCURRENCY + 1));
		Runtime.getRuntime().addShutdownHook(new Thread(lifecycle::stop));
		lifecycle.start();
		// Workers are daemons: somebody must stay.
		new CountDownLatch(1).await();
	}

	private static WorkerLifecycle lifecycle(String url, HikariDataSource pool, ExecutorService executor) {
		Membership membership = new Membership(new JdbcWorkCoordinator(pool, StormDatabase.SCHEMA, RULES), RULES,
				new InstanceInfo("storm", "localhost", ProcessHandle.current().pid(), Map.of()), Queue.OUTBOX);
		PostgresListener listener = new PostgresListener(() -> DriverManager.getConnection(url),
				AnnouncementChannel.ofSchema(StormDatabase.SCHEMA));
		WorkerSettings settings = WorkerSettings.defaults()
			.withBatchSize(500)
			.withConcurrency(CONCURRENCY)
			.withHandOver(100)
			.withMaxRenewals(2)
			.withHandlerTimeout(Duration.ofSeconds(4))
			.withDrainTimeout(Duration.ofSeconds(5));
		WorkPump pump = new WorkPump(new QueueWork(Queue.OUTBOX, new DeliveryHandler(pool),
				RetryPolicies.same(DeliveryHandler.RETRIES), new Tattler()), membership, settings, executor,
				() -> false);
		return new WorkerLifecycle(List.of(new Worker(pump)), listener, null);
	}

	private static HikariDataSource pool(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(CONCURRENCY + 1);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(2000);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

	/** Tells the storm, by the process' output, what must not happen. */
	private static final class Tattler implements WorkListener {

		@Override
		public void orphansFound(Queue queue, int count) {
			System.out.println("VIOLATION orphans " + count);
		}

		@Override
		public void roundFailed(Queue queue, Exception failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof SQLException sql && "40P01".equals(sql.getSQLState())) {
					System.out.println("VIOLATION deadlock " + failure);
				}
			}
		}

	}

}

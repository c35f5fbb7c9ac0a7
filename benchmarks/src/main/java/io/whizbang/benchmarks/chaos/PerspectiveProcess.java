package io.whizbang.benchmarks.chaos;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveLifecycle;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveOrderException;
import io.whizbang.perspective.PerspectiveParts;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.perspective.PerspectiveSignal;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.work.RetryPolicy;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * An instance with both perspectives in a process of its own, until it is told to stop.
 * It hears announcements, as an application does, and polls rarely meanwhile.
 */
public final class PerspectiveProcess {

	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofSeconds(5),
			Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10), 10_000, null, false, false);

	private static final PerspectiveSettings SETTINGS = PerspectiveSettings.defaults()
		.withLease(Duration.ofSeconds(5))
		.withPoll(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(10))
		.withRetry(
				RetryPolicy.defaults().withMaxAttempts(100).withDelays(Duration.ofMillis(50), Duration.ofSeconds(1)));

	private PerspectiveProcess() {
	}

	public static void main(String[] arguments) throws InterruptedException {
		String url = arguments[0];
		HikariDataSource pool = pool(url);
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(StormDatabase.SCHEMA);
		PostgresListener listener = new PostgresListener(() -> DriverManager.getConnection(url), channel);
		WorkNotifier notifier = new WorkNotifier(pool, channel);
		PerspectiveWorker worker = worker(pool, listener);
		new PerspectiveSignal(worker, notifier);
		WorkerLifecycle announcements = new WorkerLifecycle(List.of(), listener, notifier);
		PerspectiveLifecycle lifecycle = new PerspectiveLifecycle(worker, listener);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			lifecycle.stop();
			announcements.stop();
		}));
		announcements.start();
		lifecycle.start();
		// Workers are daemons: somebody must stay.
		new CountDownLatch(1).await();
	}

	private static PerspectiveWorker worker(HikariDataSource pool, PostgresListener listener) {
		JdbcTemplate jdbc = new JdbcTemplate(pool);
		PerspectiveParts parts = PerspectiveParts
			.of(pool, StormDatabase.SCHEMA, new JdbcTransactionManager(pool), StormWriter.CODEC, StormWriter.TYPES,
					List.of(StormPerspective.sharded(jdbc), StormPerspective.global(jdbc)))
			.with(SETTINGS)
			.with(new Tattler());
		return new PerspectiveWorker(parts, new JdbcWorkCoordinator(pool, StormDatabase.SCHEMA, RULES), RULES,
				new InstanceInfo("storm", "localhost", ProcessHandle.current().pid(), Map.of()),
				Executors.newFixedThreadPool(SETTINGS.concurrency()), listener::healthy);
	}

	private static HikariDataSource pool(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(SETTINGS.concurrency() + 3);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(2000);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

	/** Tells the storm, by the process' output, what must not happen, and what may. */
	private static final class Tattler implements PerspectiveListener {

		@Override
		public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
			System.out.println("SEEN failed");
			order(failure);
		}

		@Override
		public void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
			System.out.println("VIOLATION dead " + run + " " + stream + " at " + version + ": " + failure);
		}

		@Override
		public void recovered(PerspectiveRun run, StreamId stream) {
			System.out.println("SEEN recovered");
		}

		@Override
		public void shardLost(PerspectiveRun run) {
			System.out.println("SEEN lost");
		}

		@Override
		public void roundFailed(Throwable failure) {
			order(failure);
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof SQLException sql && "40P01".equals(sql.getSQLState())) {
					System.out.println("VIOLATION deadlock " + failure);
				}
			}
		}

		private static void order(Throwable failure) {
			if (failure instanceof PerspectiveOrderException) {
				System.out.println("VIOLATION order " + failure);
			}
		}

	}

}

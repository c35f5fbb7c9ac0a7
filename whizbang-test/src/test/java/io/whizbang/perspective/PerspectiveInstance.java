package io.whizbang.perspective;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.event.EventSignal;
import io.whizbang.test.PostgresDatabase;

import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * An instance of an application that has perspectives, with its own pool.
 */
final class PerspectiveInstance implements AutoCloseable {

	private final AtomicInteger lanes = new AtomicInteger();

	private final ExecutorService executor = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "lane");
		thread.setDaemon(true);
		return thread;
	});

	final HikariDataSource pool;

	final PerspectiveParts parts;

	final PerspectiveWorker worker;

	final Perspectives perspectives;

	PerspectiveInstance(PostgresDatabase database, CoordinatorSettings rules, Choice choice,
			List<PerspectiveHandler> handlers) {
		this.pool = database.createPool(8);
		handlers.forEach((handler) -> {
			if (handler instanceof RecordingPerspective recording) {
				recording.use(this.pool);
			}
		});
		this.parts = choice.from(PerspectiveParts
			.of(this.pool, PerspectiveFixture.SCHEMA, new JdbcTransactionManager(this.pool), PerspectiveFixture.CODEC,
					PerspectiveFixture.TYPES, handlers)
			.with(PerspectiveFixture.SETTINGS));
		this.worker = new PerspectiveWorker(this.parts,
				new JdbcWorkCoordinator(this.pool, PerspectiveFixture.SCHEMA, rules), rules,
				new InstanceInfo("test", "localhost", 1, Map.of()), this::execute, () -> false);
		this.perspectives = new JdbcPerspectives(this.parts, this.worker);
	}

	private void execute(Runnable lane) {
		this.lanes.incrementAndGet();
		this.executor.execute(() -> {
			try {
				lane.run();
			}
			finally {
				this.lanes.decrementAndGet();
			}
		});
	}

	/** Whether none of its lanes runs. */
	boolean isIdle() {
		return this.lanes.get() == 0;
	}

	EventSignal signal() {
		return new PerspectiveSignal(this.worker, null);
	}

	/**
	 * Ends as a process does that is killed: nothing is given back, nobody says goodbye.
	 */
	void kill() {
		this.pool.close();
		this.executor.shutdownNow();
		Thread stopper = new Thread(this.worker::stop);
		stopper.setDaemon(true);
		stopper.start();
	}

	@Override
	public void close() {
		this.worker.stop();
		this.executor.shutdownNow();
		this.pool.close();
	}

	/** What is different from the usual. */
	interface Choice {

		PerspectiveParts from(PerspectiveParts usual);

	}

}

package io.whizbang.timer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.process.ChildProcess;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A process that fires timers, and writes down in the database which it has delivered.
 */
final class TimerProcess implements WorkHandler {

	/** Silence is noticed soon, so that the test need not wait for long. */
	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofSeconds(30),
			Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(3), 10_000, null, false, false);

	private final JdbcTemplate jdbc;

	private final String name;

	private TimerProcess(JdbcTemplate jdbc, String name) {
		this.jdbc = jdbc;
		this.name = name;
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, and the name of the process
	 */
	public static void main(String[] arguments) {
		String name = arguments[2];
		JdbcTemplate jdbc = new JdbcTemplate(ChildProcess.dataSource(arguments, name));
		Membership membership = new Membership(
				new JdbcWorkCoordinator(jdbc.getDataSource(), TimerFixture.SCHEMA, RULES), RULES,
				new InstanceInfo(name, "localhost", 1, Map.of()), Queue.OUTBOX);
		QueueWork what = new QueueWork(Queue.OUTBOX, new TimerProcess(jdbc, name),
				RetryPolicies.same(RetryPolicy.defaults()), WorkListener.NONE);
		WorkerSettings settings = WorkerSettings.defaults()
			.withBatchSize(100)
			.withConcurrency(2)
			.withPoll(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(200));
		new Worker(new WorkPump(what, membership, settings, Executors.newCachedThreadPool(), () -> false)).start();
		ChildProcess.obey((command) -> {
		});
	}

	@Override
	public Object batchKey(Work work) {
		return "all";
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		this.jdbc.batchUpdate("insert into delivery values (?, ?)",
				batch.stream().map((work) -> new Object[] { work.envelope().id().value(), this.name }).toList());
		return batch.stream().map((work) -> Outcome.DONE).toList();
	}

}

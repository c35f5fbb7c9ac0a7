package io.whizbang.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The real worker with a pool, threads and a fate of its own, as a process would have.
 */
final class Instance {

	static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofSeconds(2), Duration.ofMillis(500),
			Duration.ofMillis(2500), Duration.ofSeconds(4), 10_000, null, false, false);

	private static final int CONCURRENCY = 3;

	private final Fate fate = new Fate();

	private final ExecutorService executor = Executors.newFixedThreadPool(CONCURRENCY + 1);

	private final HikariDataSource pool;

	private final Sessions pooled;

	private final Sessions listening;

	private final WorkerLifecycle lifecycle;

	Instance(String name, ChaosDatabase database, Workload workload, Deliveries deliveries, Acceptances acceptances,
			Findings findings, Random random) {
		this(name, database, workload, deliveries, acceptances, findings, random, true);
	}

	Instance(String name, ChaosDatabase database, Workload workload, Deliveries deliveries, Acceptances acceptances,
			Findings findings, Random random, boolean sweeps) {
		CoordinatorSettings rules = rules(random);
		this.pool = database.database().createPool(2);
		this.pooled = new Sessions(this.pool);
		this.listening = new Sessions(database.database().unpooledDataSource());
		AttackedCoordinator coordinator = new AttackedCoordinator(
				new JdbcWorkCoordinator(this.pooled, ChaosDatabase.SCHEMA, rules), this.fate, acceptances, findings,
				sweeps);
		Membership membership = new Membership(coordinator, rules, new InstanceInfo("chaos", name, 0, Map.of()),
				Queue.OUTBOX);
		PostgresListener listener = new PostgresListener(this.listening::getConnection,
				AnnouncementChannel.ofSchema(ChaosDatabase.SCHEMA));
		ChaosHandler handler = new ChaosHandler(workload, deliveries, findings, this.fate, random);
		WorkPump pump = new WorkPump(
				new QueueWork(Queue.OUTBOX, handler, RetryPolicies.same(ChaosHandler.RETRIES), WorkListener.NONE),
				membership, settings(random), this.executor, () -> false);
		this.lifecycle = new WorkerLifecycle(List.of(new Worker(pump)), random.nextBoolean() ? listener : null, null);
	}

	/**
	 * Some may hold few partitions only, some keep what they complete, some wait for the
	 * disk.
	 */
	private static CoordinatorSettings rules(Random random) {
		return new CoordinatorSettings(RULES.lease(), RULES.heartbeat(), RULES.deadAfter(), RULES.staleAfter(),
				RULES.partitions(), (random.nextInt(5) == 0) ? 60 : null, random.nextInt(5) == 0,
				random.nextInt(5) == 0);
	}

	private static WorkerSettings settings(Random random) {
		return WorkerSettings.defaults()
			.withBatchSize(20 + random.nextInt(130))
			.withConcurrency(CONCURRENCY)
			.withHandOver(1 + random.nextInt(8))
			.withHandlerTimeout(Duration.ofSeconds(1))
			.withMaxRenewals(random.nextInt(3))
			.withPoll(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(50))
			.withStealWhenIdle(random.nextInt(4) == 0)
			.withDrainTimeout(Duration.ofSeconds(5));
	}

	void join() {
		this.lifecycle.start();
	}

	void pause(Duration time) {
		this.fate.pause(time);
	}

	void goOn() {
		this.fate.goOn();
	}

	void cut(JdbcTemplate jdbc) {
		this.pooled.cut(jdbc);
	}

	/** Ends everything at once; {@link #leave()} then only tidies up. */
	void kill(JdbcTemplate jdbc) {
		this.fate.kill();
		this.pooled.cut(jdbc);
		this.listening.cut(jdbc);
	}

	/** Stops the worker in good order; takes its time. */
	void leave() {
		this.lifecycle.stop();
		this.executor.shutdownNow();
		this.pool.close();
	}

}

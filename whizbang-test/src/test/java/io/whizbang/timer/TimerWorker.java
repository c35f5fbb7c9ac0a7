package io.whizbang.timer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.LocalSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

/**
 * A whole instance as the starter wires it, with timers of its own. Its polls come too
 * seldom to help: what it delivers in time, it knew of.
 */
final class TimerWorker implements AutoCloseable {

	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofMinutes(5),
			Duration.ofMinutes(2), Duration.ofMinutes(5), Duration.ofMinutes(10), 10_000, null, false, false);

	private final HikariDataSource pool;

	private final ExecutorService executor = Executors.newFixedThreadPool(3);

	private final PostgresListener listener;

	private final Worker worker;

	private final WorkerLifecycle lifecycle;

	private final Map<TimerId, AtomicInteger> delivered = new ConcurrentHashMap<>();

	final Timers timers;

	TimerWorker(PostgresDatabase database) {
		this.pool = database.createPool(4);
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(TimerFixture.SCHEMA);
		this.listener = new PostgresListener(database.unpooledDataSource()::getConnection, channel);
		WorkNotifier notifier = new WorkNotifier(this.pool, channel);
		WorkerSettings settings = WorkerSettings.defaults()
			.withConcurrency(2)
			.withPoll(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(2));
		Membership membership = new Membership(new JdbcWorkCoordinator(this.pool, TimerFixture.SCHEMA, RULES), RULES,
				new InstanceInfo("test", "localhost", 1, Map.of()), Queue.OUTBOX);
		QueueWork what = new QueueWork(Queue.OUTBOX, new Deliverer(), RetryPolicies.same(RetryPolicy.defaults()),
				WorkListener.NONE);
		WorkPump pump = new WorkPump(what, membership, settings, this.executor, this.listener::healthy,
				notifier::announce);
		this.worker = new Worker(pump);
		LocalSignal signal = new LocalSignal(List.of(pump), RULES.partitions(), notifier);
		this.timers = TimerFixture.timers(this.pool, signal);
		this.lifecycle = new WorkerLifecycle(List.of(this.worker), this.listener, notifier);
		this.lifecycle.start();
	}

	/** Looks for work, and so learns who else is there. */
	void look() {
		this.worker.pump().signal();
	}

	boolean knows(int members) {
		return this.worker.status().members() == members && this.listener.healthy();
	}

	boolean has(Collection<TimerId> ids) {
		return this.delivered.keySet().containsAll(ids);
	}

	Map<TimerId, AtomicInteger> delivered() {
		return this.delivered;
	}

	@Override
	public void close() {
		this.lifecycle.stop();
		this.executor.shutdownNow();
		this.pool.close();
	}

	private final class Deliverer implements WorkHandler {

		@Override
		public Object batchKey(Work work) {
			return "all";
		}

		@Override
		public List<Outcome> handle(List<Work> batch) {
			batch.forEach((work) -> TimerWorker.this.delivered
				.computeIfAbsent(TimerId.of(work.envelope().id().value()), (id) -> new AtomicInteger())
				.incrementAndGet());
			return batch.stream().map((work) -> Outcome.DONE).toList();
		}

	}

}

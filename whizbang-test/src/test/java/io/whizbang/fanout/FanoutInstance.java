package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JdbcJoins;
import io.whizbang.join.JoinListener;
import io.whizbang.join.JoinParts;
import io.whizbang.join.JoinSettings;
import io.whizbang.join.JoinSignal;
import io.whizbang.join.JoinWorker;
import io.whizbang.join.Joins;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.lease.LeaseListener;
import io.whizbang.lease.LeaseSettings;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.test.ManualWorker;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * An instance of an application: its own connections, planners, leases and worker.
 */
final class FanoutInstance implements AutoCloseable {

	final HikariDataSource pool;

	final FanoutWorker worker;

	final Fanouts fanouts;

	final JdbcFanoutStore store;

	final JdbcLeases leases;

	final FanoutParts parts;

	final Joins joins;

	final JoinWorker joinWorker;

	final Heard heard = new Heard();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Supplier<@Nullable Instant> clock;

	private @Nullable ManualWorker deliveries;

	FanoutInstance(HikariDataSource pool, String service, FanoutSettings settings, Supplier<@Nullable Instant> clock,
			@Nullable Executor executor, FanoutPlanner... all) {
		this.clock = clock;
		this.pool = pool;
		this.store = new JdbcFanoutStore(this.pool, FanoutFixture.SCHEMA, clock);
		InstanceInfo info = new InstanceInfo(service, "localhost", ProcessHandle.current().pid(), Map.of());
		this.leases = new JdbcLeases(this.pool, FanoutFixture.SCHEMA, info, LeaseSettings.defaults(),
				LeaseListener.NONE, null);
		FanoutPlanners planners = new FanoutPlanners();
		List.of(all).forEach(planners::add);
		JdbcOutbox outbox = new JdbcOutbox(new TransactionalStore(this.pool, new JdbcMessageStore(FanoutFixture.SCHEMA),
				Queue.OUTBOX, true, WorkSignal.NONE), FanoutFixture.codec(), TopicCheck.NONE, MessageObservations.NONE);
		JoinSignal signal = new JoinSignal();
		JoinParts joinParts = new JoinParts(new JdbcJoinStore(this.pool, FanoutFixture.SCHEMA, clock), outbox,
				new JdbcTransactionManager(this.pool), JoinSettings.defaults(), JoinListener.NONE);
		this.joinWorker = new JoinWorker(joinParts, signal);
		this.joins = new JdbcJoins(joinParts, signal);
		this.parts = new FanoutParts(this.store, planners, outbox, this.leases, new JdbcTransactionManager(this.pool),
				settings, info, this.heard, this.joins);
		this.worker = new FanoutWorker(this.parts, (executor != null) ? executor : this.threads, () -> false, null);
		this.fanouts = new JdbcFanouts(this.parts, this.worker);
	}

	/** Plans what is due. */
	boolean run() {
		return this.worker.runUntilIdle();
	}

	/** Lets a bean's annotated methods handle what waits. */
	List<ManualWorker.Ended> deliver(Object bean) {
		if (this.deliveries == null) {
			CoordinatorSettings rules = CoordinatorSettings.defaults();
			this.deliveries = new ManualWorker(slices(bean),
					new JdbcWorkCoordinator(this.pool, FanoutFixture.SCHEMA, rules, this.clock), rules,
					WorkerSettings.defaults());
		}
		return this.deliveries.runUntilIdle();
	}

	/** What to do with slices: a bean's annotated methods handle them. */
	QueueWork slices(Object bean) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("handler", bean);
		TopicHandlers handlers = new TopicHandlers();
		new FanoutHandlerFinder(beans, () -> this.parts).find().forEach(handlers::add);
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, List.of(), handlers),
				FanoutFixture.codec(), OutboxSettings.defaults(), MessageObservations.NONE);
		return new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE);
	}

	/** Its process is gone, or cut off: nothing reaches the database any more. */
	void cutOff() {
		this.pool.close();
	}

	@Override
	public void close() {
		this.worker.stop();
		this.threads.shutdownNow();
		if (this.deliveries != null && !this.pool.isClosed()) {
			this.deliveries.close();
		}
		this.leases.releaseAll();
		this.pool.close();
	}

	/** What a listener hears. */
	static final class Heard implements FanoutListener {

		final List<String> ran = new CopyOnWriteArrayList<>();

		final List<String> failed = new CopyOnWriteArrayList<>();

		final List<String> refused = new CopyOnWriteArrayList<>();

		final List<FanoutSlice> completed = new CopyOnWriteArrayList<>();

		final List<FanoutSlice> repeated = new CopyOnWriteArrayList<>();

		@Override
		public void ran(String topic, Duration lateness, Duration took) {
			this.ran.add(topic);
		}

		@Override
		public void failed(String topic, Throwable failure) {
			this.failed.add(topic);
		}

		@Override
		public void refused(String topic, String problem) {
			this.refused.add(problem);
		}

		@Override
		public void completed(FanoutSlice slice, Duration lateness, Duration took) {
			this.completed.add(slice);
		}

		@Override
		public void repeated(FanoutSlice slice) {
			this.repeated.add(slice);
		}

	}

}

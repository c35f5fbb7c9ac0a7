package io.whizbang.join;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.Envelope;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.outbox.UnroutableTopicException;
import io.whizbang.test.ManualWorker;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkerSettings;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An instance of an application: its own connections and workers. Messages to "work" are
 * done, those to "poison" fail for good, and nobody takes those to "then".
 */
final class JoinInstance implements AutoCloseable {

	final HikariDataSource pool;

	final JdbcOutbox outbox;

	final JdbcJoinStore store;

	final JoinParts parts;

	final JoinWorker worker;

	final Joins joins;

	final TransactionTemplate transaction;

	final Timers timers;

	final ManualWorker deliveries;

	final List<JoinResult> closed = new CopyOnWriteArrayList<>();

	final List<JoinResult> refused = new CopyOnWriteArrayList<>();

	volatile Consumer<Envelope> work = (message) -> {
	};

	volatile boolean closedTopics;

	volatile Runnable following = () -> {
	};

	JoinInstance(JoinFixture fixture) {
		this.pool = fixture.database.createPool(6);
		JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.shared());
		this.outbox = new JdbcOutbox(new TransactionalStore(this.pool, new JdbcMessageStore(JoinFixture.SCHEMA),
				Queue.OUTBOX, true, WorkSignal.NONE), codec, this::check, MessageObservations.NONE);
		JdbcTransactionManager transactions = new JdbcTransactionManager(this.pool);
		this.transaction = new TransactionTemplate(transactions);
		this.store = new JdbcJoinStore(this.pool, JoinFixture.SCHEMA, fixture.clock);
		JoinSignal signal = new JoinSignal();
		this.parts = new JoinParts(this.store, this.outbox, transactions,
				new JoinSettings(100, Duration.ofMillis(200), Duration.ofDays(1)), new Heard());
		this.worker = new JoinWorker(this.parts, signal);
		this.joins = new JdbcJoins(this.parts, signal);
		this.timers = new JdbcTimers(new JdbcTimerStore(this.pool, JoinFixture.SCHEMA, fixture.clock), codec,
				this::check, MessageObservations.NONE, TimerSettings.defaults(), WorkSignal.NONE, signal);
		TopicHandlers handlers = new TopicHandlers();
		handlers.add(TopicHandler.of("work", Integer.class, (payload, envelope) -> this.work.accept(envelope)));
		handlers.add(TopicHandler.of("poison", Integer.class, (payload, envelope) -> {
			throw new PermanentFailureException("poison");
		}));
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, List.of(), handlers), codec,
				OutboxSettings.defaults(), MessageObservations.NONE);
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		this.deliveries = new ManualWorker(new QueueWork(Queue.OUTBOX, publisher, publisher, signal),
				new JdbcWorkCoordinator(this.pool, JoinFixture.SCHEMA, rules, fixture.clock), rules,
				WorkerSettings.defaults());
	}

	/** Another worker of the same instance, which looks that often by itself. */
	JoinWorker worker(Duration poll) {
		return new JoinWorker(new JoinParts(this.store, this.outbox, this.parts.transactions(),
				new JoinSettings(100, poll, Duration.ofDays(1)), this.parts.listener()), new JoinSignal());
	}

	private void check(String topic) {
		if (topic.equals("then")) {
			this.following.run();
		}
		if (this.closedTopics && topic.equals("nowhere")) {
			throw new UnroutableTopicException("Cannot enqueue: nobody takes it");
		}
	}

	/** Delivers what waits, and counts. */
	void run() {
		this.deliveries.runUntilIdle();
		this.worker.runUntilIdle();
	}

	Join find(JoinId join) {
		return this.joins.find(join).orElseThrow();
	}

	/** Its process is gone, in the middle of whatever it does. */
	void kill() {
		this.pool.close();
	}

	boolean isKilled() {
		return this.pool.isClosed();
	}

	@Override
	public void close() {
		this.worker.stop();
		if (!this.pool.isClosed()) {
			this.deliveries.close();
			this.pool.close();
		}
	}

	/** What a listener hears. */
	private final class Heard implements JoinListener {

		@Override
		public void closed(JoinResult result) {
			JoinInstance.this.closed.add(result);
		}

		@Override
		public void followUpFailed(JoinResult result, Throwable failure) {
			JoinInstance.this.refused.add(result);
		}

	}

}

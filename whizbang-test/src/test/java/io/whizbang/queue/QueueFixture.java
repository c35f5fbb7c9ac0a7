package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkSignal;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database without work queues, a clock that can be moved, and workers.
 */
final class QueueFixture implements AutoCloseable {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final RetryPolicy RETRY = RetryPolicy.defaults()
		.withMaxAttempts(3)
		.withDelays(Duration.ofMillis(1), Duration.ofMillis(2));

	static final QueueSettings SETTINGS = QueueSettings.defaults()
		.withRetry(RETRY)
		.withPoll(Duration.ofMillis(100), Duration.ofMillis(100));

	static final InstanceInfo INFO = new InstanceInfo("test", "localhost", ProcessHandle.current().pid(), Map.of());

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	final JdbcQueueStore store;

	final JdbcWorkQueue queues;

	final TransactionTemplate transaction;

	final JdbcDeadLetters letters;

	private volatile WorkSignal signal = WorkSignal.NONE;

	private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

	QueueFixture(PostgresDatabase database) {
		this(database, SETTINGS);
	}

	QueueFixture(PostgresDatabase database, QueueSettings settings) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		DataSource dataSource = database.dataSource();
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.execute(
				"""
						truncate whizbang.wh_queue_messages, whizbang.wh_queue_keys, whizbang.wh_paused_queues, whizbang.wh_scheduled,
						    whizbang.wh_dead_letters, whizbang.wh_dead_letter_audit""");
		this.clock = new DatabaseClock(database.unpooledDataSource());
		this.store = new JdbcQueueStore(dataSource, SCHEMA, this.clock);
		this.queues = queues(dataSource, settings);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.letters = new JdbcDeadLetters(dataSource, SCHEMA, (queue, hashes) -> this.signal.raise(queue, hashes),
				LetterListener.NONE);
	}

	/** The same queues in another instance. */
	JdbcWorkQueue elsewhere() {
		return queues(this.database.dataSource(), SETTINGS);
	}

	private JdbcWorkQueue queues(DataSource dataSource, QueueSettings settings) {
		WorkSignal deferred = (queue, hashes) -> this.signal.raise(queue, hashes);
		return new JdbcWorkQueue(
				new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.QUEUES, true, deferred),
				this.store, codec(), MessageObservations.NONE, settings, INFO, deferred);
	}

	static JsonMessageCodec codec() {
		return new JsonMessageCodec(JsonMapper.builder().build());
	}

	/** A worker that is to be started, and hears of what is enqueued here. */
	QueueWorker worker(QueueSettings settings, Consumer... consumers) {
		ExecutorService executor = Executors.newCachedThreadPool();
		QueueWorker worker = new QueueWorker(parts(settings, consumers), executor, () -> false, null);
		this.signal = (queue, hashes) -> worker.changed();
		this.open.add(() -> {
			worker.stop();
			executor.shutdownNow();
		});
		return worker;
	}

	/** A worker that works when told to. */
	QueueWorker manual(Consumer... consumers) {
		return new QueueWorker(parts(SETTINGS, consumers), Runnable::run, () -> false, null);
	}

	QueueParts parts(QueueSettings settings, Consumer... consumers) {
		QueueConsumers known = new QueueConsumers();
		List.of(consumers).forEach(known::add);
		return new QueueParts(this.store, known, codec(), new JdbcTransactionManager(this.database.dataSource()),
				settings, INFO, MessageObservations.NONE, QueueListener.NONE);
	}

	static Consumer single(String queue, int concurrency, Consumer.Call call) {
		return new Consumer(queue, concurrency, 100, false, false, RETRY, call);
	}

	static Consumer together(String queue, int concurrency, Consumer.Call call) {
		return new Consumer(queue, concurrency, 100, true, false, RETRY, call);
	}

	static Consumer transactional(String queue, Consumer.Call call) {
		return new Consumer(queue, 4, 100, false, true, RETRY, call);
	}

	static List<String> payloads(List<QueuedMessage> messages) {
		return messages.stream().map((message) -> message.envelope().payload()).toList();
	}

	List<String> deadLetters(String queue) {
		return this.jdbc.queryForList(
				"select payload from whizbang.wh_dead_letters where queue = 5 and topic = ? order by dead_letter_id",
				String.class, queue);
	}

	int count(String sql, Object... arguments) {
		Integer count = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (count != null) ? count : 0;
	}

	@Override
	public void close() {
		for (AutoCloseable each : this.open) {
			try {
				each.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}

package io.whizbang.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;

/**
 * A whole worker as the starter wires it, with a listener and a notifier, whose polls
 * come too seldom to help: what it delivers in time, it was told of.
 */
final class WorkerInstance implements AutoCloseable {

	private static final String SCHEMA = "whizbang";

	private static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofMinutes(5),
			Duration.ofMinutes(2), Duration.ofMinutes(5), Duration.ofMinutes(10), 10_000, null, false, false);

	private final HikariDataSource pool;

	private final ExecutorService executor = Executors.newFixedThreadPool(3);

	private final PostgresListener listener;

	private final Worker worker;

	private final WorkerLifecycle lifecycle;

	private final LocalSignal signal;

	WorkerInstance(PostgresDatabase database, Set<MessageId> delivered) {
		this.pool = database.createPool(4);
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(SCHEMA);
		this.listener = new PostgresListener(database.unpooledDataSource()::getConnection, channel);
		WorkNotifier notifier = new WorkNotifier(this.pool, channel);
		WorkerSettings settings = WorkerSettings.defaults()
			.withConcurrency(2)
			.withPoll(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(2));
		Membership membership = new Membership(new JdbcWorkCoordinator(this.pool, SCHEMA, RULES), RULES,
				new InstanceInfo("test", "localhost", 1, Map.of()), Queue.OUTBOX);
		QueueWork what = new QueueWork(Queue.OUTBOX, new Deliverer(delivered),
				RetryPolicies.same(RetryPolicy.defaults()), WorkListener.NONE);
		WorkPump pump = new WorkPump(what, membership, settings, this.executor, this.listener::healthy,
				notifier::announce);
		this.worker = new Worker(pump);
		this.signal = new LocalSignal(List.of(pump), RULES.partitions(), notifier);
		this.lifecycle = new WorkerLifecycle(List.of(this.worker), this.listener, notifier);
		this.lifecycle.start();
	}

	static Set<MessageId> deliveries() {
		return ConcurrentHashMap.newKeySet();
	}

	WorkerStatus status() {
		return this.worker.status();
	}

	boolean isListening() {
		return this.listener.healthy();
	}

	/** Looks for work, and so learns who else is there. */
	void look() {
		this.worker.pump().signal();
	}

	/**
	 * Commits messages, each to a stream of its own, and tells of them as the outbox
	 * does.
	 */
	List<MessageId> enqueue(int count, String payload) throws SQLException {
		return enqueue(IntStream.range(0, count).mapToObj((i) -> message(payload)).toList());
	}

	/** Commits a message that falls into the share of one of several members. */
	List<MessageId> enqueueToShare(int rank, int members) throws SQLException {
		return enqueue(List.of(Stream.generate(() -> message("{}"))
			.filter((message) -> message.partitionHash() % RULES.partitions() % members == rank)
			.findFirst()
			.orElseThrow()));
	}

	private List<MessageId> enqueue(List<NewMessage> messages) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			new JdbcMessageStore(SCHEMA).store(connection, Queue.OUTBOX, messages, true);
		}
		this.signal.raise(Queue.OUTBOX, messages.stream().map(NewMessage::partitionHash).toList());
		return messages.stream().map(NewMessage::id).toList();
	}

	private static NewMessage message(String payload) {
		MessageId id = MessageId.next();
		return new NewMessage(id, "orders", "Order", StreamId.of(id.value()), Map.of(), payload, null, null);
	}

	@Override
	public void close() {
		this.lifecycle.stop();
		this.executor.shutdownNow();
		this.pool.close();
	}

	private record Deliverer(Set<MessageId> delivered) implements WorkHandler {

		@Override
		public Object batchKey(Work work) {
			return "all";
		}

		@Override
		public List<Outcome> handle(List<Work> batch) {
			batch.forEach((work) -> this.delivered.add(work.envelope().id()));
			return batch.stream().map((work) -> Outcome.DONE).toList();
		}

	}

}

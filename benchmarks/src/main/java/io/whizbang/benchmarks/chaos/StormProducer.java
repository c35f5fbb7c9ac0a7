package io.whizbang.benchmarks.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages in transactions that end well, late, or not at all, each with a note of
 * what it stores.
 */
final class StormProducer implements Runnable {

	static final String POISON = "poison";

	private static final JdbcMessageStore STORE = new JdbcMessageStore(StormDatabase.SCHEMA);

	private static final String NOTE = "insert into storm_audit (message_id, stream_id, place) "
			+ "select * from unnest(?::uuid[], ?::uuid[], ?::int[])";

	private final StormDatabase database;

	private final Troubles troubles;

	private final Random random;

	private final AtomicLong committed;

	private final long pause;

	private final BooleanSupplier mayStart;

	private final BooleanSupplier goesOn;

	StormProducer(StormDatabase database, StormSettings settings, Troubles troubles, Random random,
			AtomicLong committed, BooleanSupplier mayStart, BooleanSupplier goesOn) {
		this.database = database;
		this.troubles = troubles;
		this.random = random;
		this.committed = committed;
		// Transactions have 6.5 messages on average.
		this.pause = Duration.ofSeconds(1).toNanos() * settings.producers() * 13 / 2 / settings.rate();
		this.mayStart = mayStart;
		this.goesOn = goesOn;
	}

	@Override
	public void run() {
		while (this.goesOn.getAsBoolean()) {
			try (Connection connection = this.database.database().unpooledDataSource().getConnection()) {
				connection.setAutoCommit(false);
				produce(connection);
			}
			catch (SQLException ex) {
				if ("40P01".equals(ex.getSQLState())) {
					this.troubles.add("deadlock", "producer: " + ex);
				}
				LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			}
		}
	}

	private void produce(Connection connection) throws SQLException {
		long next = System.nanoTime();
		while (this.goesOn.getAsBoolean()) {
			LockSupport.parkNanos(next - System.nanoTime());
			next = Math.max(next, System.nanoTime() - this.pause) + this.pause;
			if (this.mayStart.getAsBoolean()) {
				transact(connection);
			}
		}
	}

	private void transact(Connection connection) throws SQLException {
		double dice = this.random.nextDouble();
		if (dice < 0.02) {
			Savepoint before = connection.setSavepoint();
			store(connection, messages());
			connection.rollback(before);
		}
		List<NewMessage> messages = messages();
		store(connection, messages);
		if (this.random.nextInt(100) == 0) {
			LockSupport.parkNanos(Duration.ofMillis(this.random.nextInt(800)).toNanos());
		}
		if (dice > 0.97) {
			connection.rollback();
		}
		else {
			connection.commit();
			this.committed.addAndGet(messages.size());
		}
	}

	private static void store(Connection connection, List<NewMessage> messages) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(NOTE)) {
			statement.setArray(1,
					connection.createArrayOf("uuid", messages.stream().map((one) -> one.id().value()).toArray()));
			@Nullable Object[] streams = messages.stream().map((one) -> streamOf(one.stream())).toArray();
			statement.setArray(2, connection.createArrayOf("uuid", streams));
			statement.setArray(3,
					connection.createArrayOf("int4", IntStream.range(0, messages.size()).boxed().toArray()));
			statement.execute();
		}
		STORE.store(connection, Queue.OUTBOX, messages, true);
	}

	private static @Nullable Object streamOf(@Nullable StreamId stream) {
		return (stream != null) ? stream.value() : null;
	}

	private List<NewMessage> messages() {
		List<StreamId> streams = new ArrayList<>();
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			boolean hot = this.random.nextInt(100) < 30;
			streams.add(StreamId.of(hot ? "hot-" + this.random.nextInt(50) : "cold-" + this.random.nextInt(20_000)));
		}
		List<NewMessage> messages = new ArrayList<>();
		for (int i = this.random.nextInt(12); i >= 0; i--) {
			StreamId stream = (this.random.nextInt(20) > 0) ? streams.get(this.random.nextInt(streams.size())) : null;
			messages.add(new NewMessage(MessageId.next(), (this.random.nextInt(1000) > 0) ? "plain" : POISON, "storm",
					stream, Map.of(), "{}", null, null));
		}
		return messages;
	}

}

package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import io.whizbang.chaos.Findings.Kind;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.message.NewMessage;
import io.whizbang.work.Queue;

/**
 * Sends, now and then, a message in a stream of its own, and looks how long it took:
 * others' failures must not hold it up, and dead instances only until they are found
 * dead.
 */
final class Probe implements Runnable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final JdbcMessageStore STORE = new JdbcMessageStore(ChaosDatabase.SCHEMA);

	private final Map<UUID, Long> sent = new ConcurrentHashMap<>();

	private final DataSource dataSource;

	private final BooleanSupplier goesOn;

	Probe(DataSource dataSource, BooleanSupplier goesOn) {
		this.dataSource = dataSource;
		this.goesOn = goesOn;
	}

	@Override
	public void run() {
		try (Connection connection = this.dataSource.getConnection()) {
			connection.setAutoCommit(false);
			while (this.goesOn.getAsBoolean()) {
				NewMessage message = Message.probe();
				Audit.note(connection, List.of(message));
				STORE.store(connection, Queue.OUTBOX, List.of(message), true);
				connection.commit();
				this.sent.put(message.id().value(), System.nanoTime());
				TimeUnit.MILLISECONDS.sleep(100);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Nobody attacks the probe", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Looks how long it took.
	 * @return the longest time
	 */
	Duration check(Deliveries deliveries, Findings findings) {
		Duration longest = Duration.ZERO;
		for (Map.Entry<UUID, Long> probe : this.sent.entrySet()) {
			Deliveries.First first = deliveries.first(probe.getKey());
			Duration took = Duration.ofNanos(((first != null) ? first.nanos() : System.nanoTime()) - probe.getValue());
			if (first == null || took.compareTo(PATIENCE) > 0) {
				findings.add(Kind.LATE, "probe " + probe.getKey() + " took " + took);
			}
			longest = (took.compareTo(longest) > 0) ? took : longest;
		}
		return longest;
	}

	int count() {
		return this.sent.size();
	}

}

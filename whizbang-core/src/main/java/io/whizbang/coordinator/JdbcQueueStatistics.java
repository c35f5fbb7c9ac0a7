package io.whizbang.coordinator;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how a queue stands, at most every few seconds however many ask.
 */
public final class JdbcQueueStatistics {

	private static final Logger logger = LoggerFactory.getLogger(JdbcQueueStatistics.class);

	private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();

	private static final int TIMEOUT_SECONDS = 5;

	private final CoordinatorConnections connections;

	private final String sql;

	private final Queue queue;

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable QueueStatistics last;

	private long readAt;

	private boolean read;

	/**
	 * Creates a reader.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param queue the queue
	 */
	public JdbcQueueStatistics(DataSource dataSource, String schema, Queue queue) {
		this(dataSource, schema, queue, System::nanoTime);
	}

	JdbcQueueStatistics(DataSource dataSource, String schema, Queue queue, LongSupplier nanoTime) {
		this.connections = new CoordinatorConnections(dataSource);
		this.sql = "select * from %s.queue_statistics(?::smallint, ?)".formatted(schema);
		this.queue = queue;
		this.nanoTime = nanoTime;
	}

	public Queue queue() {
		return this.queue;
	}

	/**
	 * Returns how the queue stands.
	 * @return figures of the last few seconds, or {@code null} when the database does not
	 * answer
	 */
	public @Nullable QueueStatistics get() {
		this.lock.lock();
		try {
			if (!this.read || this.nanoTime.getAsLong() - this.readAt > MAX_AGE) {
				this.last = readQuietly();
				this.readAt = this.nanoTime.getAsLong();
				this.read = true;
			}
			return this.last;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable QueueStatistics readQuietly() {
		try {
			return this.connections.use((connection) -> {
				try (PreparedStatement statement = connection.prepareStatement(this.sql)) {
					statement.setQueryTimeout(TIMEOUT_SECONDS);
					statement.setInt(1, this.queue.number());
					statement.setInt(2, QueueStatistics.LIMIT);
					return readRow(statement);
				}
			});
		}
		catch (RuntimeException ex) {
			// Health and the worker's log say that the database is away; gauges only show
			// nothing.
			logger.debug("Cannot read how the {} stands", this.queue.label(), ex);
			return null;
		}
	}

	private static QueueStatistics readRow(PreparedStatement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery()) {
			row.next();
			Long oldest = row.getObject("oldest_ms", Long.class);
			return new QueueStatistics(row.getInt("ready"), row.getInt("waiting"), row.getInt("parked"),
					row.getInt("scheduled"), row.getInt("dead_letters"), row.getInt("claims"),
					(oldest != null) ? Duration.ofMillis(oldest) : null);
		}
	}

}

package io.whizbang.lease;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.CoordinatorConnections.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The table of leases. Every call is a transaction of its own, apart from any of the
 * thread, and gives up in time: a connection that is dead without saying so must not keep
 * other leases from being renewed.
 */
public final class JdbcLeaseTable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final CoordinatorConnections connections;

	private final String schema;

	private final Supplier<@Nullable Instant> clock;

	/**
	 * Creates a way to the table that goes by the database's clock.
	 * @param dataSource where the schema is
	 * @param schema its name
	 */
	public JdbcLeaseTable(DataSource dataSource, String schema) {
		this(dataSource, schema, () -> null);
	}

	/**
	 * Creates a way to the table that goes by another clock, for tests.
	 * @param dataSource where the schema is
	 * @param schema its name
	 * @param clock the time, or {@code null} for the database's
	 */
	public JdbcLeaseTable(DataSource dataSource, String schema, Supplier<@Nullable Instant> clock) {
		Assert.isTrue(schema.matches("[A-Za-z_][A-Za-z0-9_]*"),
				() -> "The schema \"%s\" must be a plain SQL identifier".formatted(schema));
		this.connections = new CoordinatorConnections(dataSource);
		this.schema = schema;
		this.clock = clock;
	}

	/** Asks for a lease. */
	Answer acquire(String name, UUID owner, String holder, Duration duration) {
		return call("token, held_ms from %s.acquire_lease(?, ?, ?, ?, ?)", PATIENCE, (statement) -> {
			statement.setString(1, name);
			statement.setObject(2, owner);
			statement.setString(3, holder);
			statement.setLong(4, duration.toMillis());
			setNow(statement, 5);
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				long token = row.getLong(1);
				return row.wasNull() ? new Answer(null, Duration.ofMillis(row.getLong(2)))
						: new Answer(token, Duration.ZERO);
			}
		});
	}

	/**
	 * Renews leases.
	 * @param leases the leases
	 * @param patience how long the database may take
	 * @return owners of those that are still held
	 */
	Set<UUID> renew(List<? extends Held> leases, Duration patience) {
		Duration limit = (patience.compareTo(PATIENCE) < 0) ? patience : PATIENCE;
		return call("* from %s.renew_leases(?, ?, ?, ?)", limit, (statement) -> {
			Set<UUID> owners = new HashSet<>();
			try (Arrays arrays = new Arrays(statement, leases, Held::duration)) {
				setNow(statement, 4);
				try (ResultSet rows = statement.executeQuery()) {
					while (rows.next()) {
						owners.add(rows.getObject(1, UUID.class));
					}
				}
			}
			return owners;
		});
	}

	/**
	 * Releases those leases that are still held.
	 * @param leases the leases
	 * @return names that are free now
	 */
	List<String> release(List<? extends Held> leases) {
		return call("* from %s.release_leases(?, ?, ?, ?)", PATIENCE, (statement) -> {
			List<String> names = new ArrayList<>();
			try (Arrays arrays = new Arrays(statement, leases, Held::atLeast)) {
				setNow(statement, 4);
				try (ResultSet rows = statement.executeQuery()) {
					while (rows.next()) {
						names.add(rows.getString(1));
					}
				}
			}
			return names;
		});
	}

	/** Lists holders: that of one name, or those behind a name. */
	List<LeaseHolder> list(@Nullable String name, @Nullable String after, int limit) {
		return call("* from %s.list_leases(?, ?, ?, ?)", PATIENCE, (statement) -> {
			statement.setString(1, name);
			statement.setString(2, after);
			statement.setInt(3, limit);
			setNow(statement, 4);
			try (ResultSet rows = statement.executeQuery()) {
				List<LeaseHolder> holders = new ArrayList<>();
				while (rows.next()) {
					holders.add(new LeaseHolder(rows.getString(1), rows.getLong(2), rows.getString(3), time(rows, 4),
							time(rows, 5), time(rows, 6)));
				}
				return holders;
			}
		});
	}

	private void setNow(PreparedStatement statement, int index) throws SQLException {
		Instant now = this.clock.get();
		statement.setObject(index, (now != null) ? now.atOffset(ZoneOffset.UTC) : null, Types.TIMESTAMP_WITH_TIMEZONE);
	}

	private static Instant time(ResultSet row, int column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	private <T> T call(String call, Duration patience, Step<PreparedStatement, T> step) {
		return this.connections.use((connection) -> {
			int before = connection.getNetworkTimeout();
			connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
			try (PreparedStatement statement = connection.prepareStatement("select " + call.formatted(this.schema))) {
				return step.apply(statement);
			}
			finally {
				restore(connection, before);
			}
		});
	}

	/** A connection that broke has no timeout to restore. */
	private static void restore(Connection connection, int timeout) throws SQLException {
		if (!connection.isClosed()) {
			connection.setNetworkTimeout(Runnable::run, timeout);
		}
	}

	/**
	 * A lease as the table knows it.
	 */
	interface Held {

		String name();

		UUID owner();

		Duration duration();

		Duration atLeast();

	}

	/**
	 * What became of an attempt to acquire.
	 *
	 * @param token the fencing token, or {@code null} when somebody else has the lease
	 * @param heldFor how long that one has it for, unless it renews or releases
	 */
	record Answer(@Nullable Long token, Duration heldFor) {
	}

	/** Names, owners and a duration of leases, as the first three arguments. */
	private static final class Arrays implements AutoCloseable {

		private final List<Array> arrays = new ArrayList<>();

		Arrays(PreparedStatement statement, List<? extends Held> leases,
				java.util.function.Function<Held, Duration> duration) throws SQLException {
			Connection connection = statement.getConnection();
			this.arrays.add(connection.createArrayOf("text", leases.stream().map(Held::name).toArray()));
			this.arrays.add(connection.createArrayOf("uuid", leases.stream().map(Held::owner).toArray()));
			this.arrays.add(connection.createArrayOf("bigint",
					leases.stream().map((lease) -> duration.apply(lease).toMillis()).toArray()));
			for (int i = 0; i < this.arrays.size(); i++) {
				statement.setArray(i + 1, this.arrays.get(i));
			}
		}

		@Override
		public void close() throws SQLException {
			for (Array array : this.arrays) {
				array.free();
			}
		}

	}

}

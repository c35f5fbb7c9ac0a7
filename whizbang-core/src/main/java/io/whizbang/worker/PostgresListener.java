package io.whizbang.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for announcements of other instances on a connection of its own, and connects
 * again for as long as it takes. Without it workers find work by looking, only later.
 */
public final class PostgresListener {

	private static final Logger logger = LoggerFactory.getLogger(PostgresListener.class);

	/** How long a read may last: bounds how long stopping takes. */
	private static final Duration READ = Duration.ofMillis(250);

	/**
	 * After so much silence the connection is tested: a peer that vanished sends nothing
	 * either.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(10);

	private static final int TEST_SECONDS = 5;

	/** So long a word of its own may take. */
	private static final Duration PROBE = Duration.ofSeconds(5);

	/** A pooler does not change while somebody waits. */
	private static final Duration DEAF = Duration.ofMinutes(5);

	private final ListenConnections connections;

	private final AnnouncementChannel channel;

	private final List<Hearer> hearers = new CopyOnWriteArrayList<>();

	private @Nullable Connection connection;

	private long heardAt;

	private boolean warned;

	private volatile boolean healthy;

	private volatile @Nullable Integer backendPid;

	private volatile @Nullable Runner runner;

	public PostgresListener(ListenConnections connections, AnnouncementChannel channel) {
		this.connections = connections;
		this.channel = channel;
	}

	/**
	 * Says whether announcements arrive.
	 * @return whether the listener is connected, as far as it knows
	 */
	public boolean healthy() {
		return this.healthy;
	}

	/**
	 * Adds somebody who is told what is heard from now on.
	 * @param hearer who
	 */
	public void wakes(Hearer hearer) {
		if (!this.hearers.contains(hearer)) {
			this.hearers.add(hearer);
			Integer current = this.backendPid;
			if (current != null) {
				hearer.listening(current);
			}
		}
	}

	void start() {
		if (this.runner == null) {
			WorkLoop loop = new WorkLoop("Whizbang's listener", this::step, new Waker());
			this.runner = Runner.start("whizbang-listener", loop, this::disconnect);
		}
	}

	void stop() {
		Runner runner = this.runner;
		this.runner = null;
		if (runner != null) {
			runner.stop();
			runner.join(Duration.ofSeconds(TEST_SECONDS));
		}
	}

	private Duration step() {
		try {
			Connection connection = connected();
			hear(connection);
			testAfterSilence(connection);
			return Duration.ZERO;
		}
		catch (DeafException ex) {
			disconnect();
			if (!this.warned) {
				this.warned = true;
				logger.warn(ex.getMessage());
			}
			return DEAF;
		}
		catch (SQLException ex) {
			disconnect();
			throw new IllegalStateException("Listening for work of other instances failed", ex);
		}
	}

	private Connection connected() throws SQLException {
		Connection current = this.connection;
		if (current != null) {
			return current;
		}
		Connection opened = this.connections.open();
		this.connection = opened;
		opened.setAutoCommit(true);
		try (Statement statement = opened.createStatement()) {
			statement.execute("listen " + this.channel.quoted());
		}
		this.heardAt = System.nanoTime();
		if (!hearsItself(opened)) {
			throw new DeafException(this.channel.name());
		}
		this.healthy = true;
		this.warned = false;
		int backendPid = opened.unwrap(PGConnection.class).getBackendPID();
		this.backendPid = backendPid;
		this.hearers.forEach((hearer) -> hearer.listening(backendPid));
		logger.debug("Listening on {} with backend {}", this.channel.name(), backendPid);
		return opened;
	}

	/**
	 * Behind a pooler that shares sessions between transactions LISTEN succeeds and
	 * nothing is ever heard. The word comes from another connection: on its own one the
	 * listener might hear itself by chance.
	 */
	private boolean hearsItself(Connection listening) throws SQLException {
		String word = "probe-" + UUID.randomUUID();
		try (Connection other = this.connections.open();
				PreparedStatement statement = other.prepareStatement("select pg_notify(?, ?)")) {
			other.setAutoCommit(true);
			statement.setString(1, this.channel.name());
			statement.setString(2, word);
			statement.execute();
		}
		long start = System.nanoTime();
		while (System.nanoTime() - start < PROBE.toNanos()) {
			if (hear(listening).contains(word)) {
				return true;
			}
		}
		return false;
	}

	/** Returns what was heard. */
	private Set<String> hear(Connection connection) throws SQLException {
		PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications((int) READ.toMillis());
		if (heard == null || heard.length == 0) {
			return Set.of();
		}
		this.heardAt = System.nanoTime();
		for (PGNotification notification : heard) {
			Announcement announcement = Announcement.parse(notification.getParameter());
			if (announcement != null) {
				this.hearers.forEach((hearer) -> hearer.announced(announcement));
			}
		}
		return Arrays.stream(heard).map(PGNotification::getParameter).collect(Collectors.toSet());
	}

	private void testAfterSilence(Connection connection) throws SQLException {
		if (System.nanoTime() - this.heardAt < SILENCE.toNanos()) {
			return;
		}
		if (!connection.isValid(TEST_SECONDS)) {
			throw new SQLException("The listening connection does not answer any more", "08006");
		}
		this.heardAt = System.nanoTime();
	}

	private void disconnect() {
		Connection current = this.connection;
		this.connection = null;
		this.healthy = false;
		this.backendPid = null;
		if (current == null) {
			return;
		}
		try {
			current.close();
		}
		catch (SQLException ex) {
			logger.debug("The listening connection was broken already", ex);
		}
		this.hearers.forEach((hearer) -> hearer.listening(null));
	}

	/**
	 * LISTEN was accepted, and what is announced does not arrive.
	 */
	private static final class DeafException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		DeafException(String channel) {
			super("The listening connection does not hear what is announced on %s, so this instance polls. Is there a pooler "
				.formatted(channel)
					+ "in transaction mode between it and the database? Give it a ListenConnections bean that goes past the "
					+ "pooler, or switch listening off with whizbang.listen.enabled=false");
		}

	}

}

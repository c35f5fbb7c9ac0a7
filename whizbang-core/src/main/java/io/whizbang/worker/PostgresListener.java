package io.whizbang.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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

	private final ListenConnections connections;

	private final AnnouncementChannel channel;

	private final List<Hearer> hearers = new CopyOnWriteArrayList<>();

	private @Nullable Connection connection;

	private long heardAt;

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
		this.healthy = true;
		int backendPid = opened.unwrap(PGConnection.class).getBackendPID();
		this.backendPid = backendPid;
		this.hearers.forEach((hearer) -> hearer.listening(backendPid));
		logger.debug("Listening on {} with backend {}", this.channel.name(), backendPid);
		return opened;
	}

	private void hear(Connection connection) throws SQLException {
		PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications((int) READ.toMillis());
		if (heard == null || heard.length == 0) {
			return;
		}
		this.heardAt = System.nanoTime();
		for (PGNotification notification : heard) {
			Announcement announcement = Announcement.parse(notification.getParameter());
			if (announcement != null) {
				this.hearers.forEach((hearer) -> hearer.announced(announcement));
			}
		}
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

}

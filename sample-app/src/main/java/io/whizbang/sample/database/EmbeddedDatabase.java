package io.whizbang.sample.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicBoolean;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL that lives and dies with the shop. It is empty at every start.
 */
final class EmbeddedDatabase {

	static final String USERNAME = "postgres";

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedDatabase.class);

	private final EmbeddedPostgres server;

	private final AtomicBoolean stopped = new AtomicBoolean();

	private EmbeddedDatabase(EmbeddedPostgres server) {
		this.server = server;
	}

	/**
	 * Starts the server.
	 * @param port where it listens; 0 for any free port
	 * @return the running server
	 */
	static EmbeddedDatabase start(int port) {
		if (port != 0 && isTaken(port)) {
			throw new DatabasePortTakenException(port, PortHolder.of(port));
		}
		try {
			EmbeddedDatabase database = new EmbeddedDatabase(EmbeddedPostgres.builder()
				.setPort(port)
				.setRegisterShutdownHook(false)
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.start());
			logger.info("Embedded PostgreSQL started. Another shop joins it with {}", joinArguments(database.url()));
			return database;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded PostgreSQL does not start on port " + port, ex);
		}
	}

	static String url(int port) {
		return "jdbc:postgresql://localhost:" + port + "/postgres";
	}

	static String joinArguments(String url) {
		return "--server.port=8081 --spring.datasource.url=%s --spring.datasource.username=%s".formatted(url, USERNAME);
	}

	String url() {
		return url(this.server.getPort());
	}

	void stop() {
		if (this.stopped.getAndSet(true)) {
			return;
		}
		try {
			this.server.close();
			logger.info("Embedded PostgreSQL stopped");
		}
		catch (IOException ex) {
			logger.warn("The embedded PostgreSQL does not stop", ex);
		}
	}

	private static boolean isTaken(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return !socket.isBound();
		}
		catch (IOException ex) {
			return true;
		}
	}

}

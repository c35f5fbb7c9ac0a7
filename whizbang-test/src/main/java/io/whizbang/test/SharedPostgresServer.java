package io.whizbang.test;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Chooses, once per virtual machine, the server that tests share.
 */
final class SharedPostgresServer {

	private static final Logger logger = LoggerFactory.getLogger(SharedPostgresServer.class);

	private static final int DOCKER_PATIENCE_SECONDS = 5;

	private static @Nullable PostgresServer server;

	private SharedPostgresServer() {
	}

	static synchronized PostgresServer get() {
		if (server == null) {
			server = choose();
			logger.info("Tests run on {}", server);
		}
		return server;
	}

	private static PostgresServer choose() {
		String url = setting("url");
		if (url != null) {
			String username = setting("user");
			return new PostgresServer(url, (username != null) ? username : "postgres", setting("password"));
		}
		if (containersAreUsable()) {
			try {
				String image = setting("image");
				return ContainerPostgresServer.start((image != null) ? image : ContainerPostgresServer.IMAGE);
			}
			catch (RuntimeException ex) {
				logger.warn("No container for tests, so an embedded server takes its place: {}", ex.toString());
			}
		}
		return EmbeddedPostgresServer.create().server();
	}

	private static boolean containersAreUsable() {
		ClassLoader classLoader = SharedPostgresServer.class.getClassLoader();
		return ClassUtils.isPresent("org.testcontainers.postgresql.PostgreSQLContainer", classLoader)
				&& dockerAnswers();
	}

	// Testcontainers itself takes long to find out, and logs errors on the way.
	private static boolean dockerAnswers() {
		try {
			Process process = new ProcessBuilder("docker", "version", "--format", "{{.Server.Version}}")
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			try {
				return process.waitFor(DOCKER_PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
			}
			finally {
				process.destroy();
			}
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static @Nullable String setting(String name) {
		String property = System.getProperty("whizbang.test." + name);
		String value = (property != null) ? property : System.getenv("WHIZBANG_TEST_" + name.toUpperCase(Locale.ROOT));
		return (value != null && !value.isBlank()) ? value : null;
	}

}

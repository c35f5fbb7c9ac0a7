package io.whizbang.test;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Chooses, once per virtual machine, the server that tests share.
 */
final class SharedPostgresServer {

	private static final Logger logger = LoggerFactory.getLogger(SharedPostgresServer.class);

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
		String url = TestSettings.get("url");
		if (url != null) {
			String username = TestSettings.get("user");
			return new PostgresServer(url, (username != null) ? username : "postgres", TestSettings.get("password"));
		}
		if (containersAreUsable()) {
			try {
				String image = TestSettings.get("image");
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
				&& Docker.answers();
	}

}

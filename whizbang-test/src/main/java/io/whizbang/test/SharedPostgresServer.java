package io.whizbang.test;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
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

	private static @Nullable PostgresDatabase template;

	private SharedPostgresServer() {
	}

	static synchronized PostgresServer get() {
		if (server == null) {
			server = choose();
			logger.info("Tests run on {}", server);
		}
		return server;
	}

	/**
	 * Creates the database of a test class or of an application context: an empty one, or
	 * a copy of one that has the schema.
	 */
	static synchronized PostgresDatabase createDatabase(String label) {
		if (!Boolean.parseBoolean(TestSettings.get("template"))) {
			return get().createDatabase(label);
		}
		if (template == null) {
			template = createTemplate();
		}
		return PostgresDatabase.copy(get(), template.name(), label);
	}

	/** Nobody may be connected to what is copied, so there is no pool. */
	private static PostgresDatabase createTemplate() {
		PostgresDatabase database = get().createDatabase("template");
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		if (TestSettings.get("url") != null) {
			Runtime.getRuntime().addShutdownHook(new Thread(database::close, "whizbang-template-closer"));
		}
		return database;
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

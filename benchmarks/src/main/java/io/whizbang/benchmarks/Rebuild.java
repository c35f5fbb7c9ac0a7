package io.whizbang.benchmarks;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rebuilds a perspective beside the one that serves while events arrive, in a process
 * with a small heap. Ends with code 1 when something is missing afterwards.
 */
public final class Rebuild {

	private static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on",
			"full_page_writes", "on", "shared_buffers", "512MB", "max_wal_size", "4GB");

	private static final int STREAMS = 20_000;

	private Rebuild() {
	}

	public static void main(String[] arguments) throws IOException, InterruptedException {
		int events = 1_000_000;
		int rate = 500;
		for (String argument : arguments) {
			int value = Integer.parseInt(argument.substring(argument.indexOf('=') + 1));
			switch (argument.substring(0, Math.max(0, argument.indexOf('=')))) {
				case "events" -> events = value;
				case "rate" -> rate = value;
				default ->
					throw new IllegalArgumentException("The arguments are events=… and rate=…, not '" + argument + "'");
			}
		}
		int code;
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create(DURABLE);
				PostgresDatabase database = server.server().createDatabase("rebuild")) {
			new SchemaInstaller(database.unpooledDataSource(),
					SchemaSettings.of(WhizbangPerspectives.SCHEMA, SchemaMode.MIGRATE))
				.install();
			EventLoad.run(new JdbcTemplate(database.unpooledDataSource()), events, STREAMS, 1);
			System.out.printf("%d events in %d streams; %d more arrive each second%n", events, STREAMS, rate);
			code = run(database.jdbcUrl() + "&user=" + server.server().username(), rate);
		}
		System.exit(code);
	}

	private static int run(String url, int rate) throws IOException, InterruptedException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		return new ProcessBuilder(java, "-Xmx256m", "-cp", classPath(), RebuildProcess.class.getName(), url,
				String.valueOf(STREAMS), String.valueOf(rate))
			.inheritIO()
			.start()
			.waitFor();
	}

	/**
	 * Where Maven runs this, its classes are not on the class path of the virtual
	 * machine.
	 */
	private static String classPath() {
		if (Rebuild.class.getClassLoader() instanceof URLClassLoader loader) {
			return Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
		}
		return System.getProperty("java.class.path");
	}

}

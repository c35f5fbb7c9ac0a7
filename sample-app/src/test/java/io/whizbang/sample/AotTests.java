package io.whizbang.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes the shop ahead of time, as a native image needs it, and starts on the JVM
 * what came out.
 */
@PostgresTest
class AotTests {

	@TempDir
	Path folder;

	@Test
	void theShopStartsAsItWasProcessedAheadOfTime(PostgresDatabase database) throws Exception {
		String[] arguments = { "--spring.datasource.url=" + database.jdbcUrl(),
				"--spring.datasource.username=" + database.server().username(),
				"--spring.datasource.password=" + database.server().password(), "--server.port=0" };
		Path sources = this.folder.resolve("sources");
		Path resources = this.folder.resolve("resources");
		Path classes = this.folder.resolve("classes");
		new SpringApplicationAotProcessor(ShopApplication.class,
				Settings.builder()
					.sourceOutput(sources)
					.resourceOutput(resources)
					.classOutput(classes)
					.groupId("io.whizbang")
					.artifactId("sample-app")
					.build(),
				arguments)
			.process();

		hintsAreThere(resources);
		compile(sources, classes);
		List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
				"-Dspring.aot.enabled=true", "-cp", String.join(File.pathSeparator, classes.toString(),
						resources.toString(), System.getProperty("java.class.path")),
				ShopApplication.class.getName()));
		command.addAll(List.of(arguments));
		Process shop = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			List<String> log = new ArrayList<>();
			CompletableFuture
				.supplyAsync(() -> shop.inputReader()
					.lines()
					.peek(log::add)
					.anyMatch((line) -> line.contains("Started ShopApplication")))
				.get(300, TimeUnit.SECONDS);
			assertThat(log).anyMatch((line) -> line.contains("Starting AOT-processed ShopApplication"))
				.anyMatch((line) -> line.contains("perspectives [order-summary, sales-per-day]"))
				.last()
				.asString()
				.contains("Started ShopApplication");
		}
		finally {
			shop.destroy();
			assertThat(shop.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	/** Without them a native image could neither call handlers nor read payloads. */
	private static void hintsAreThere(Path resources) throws IOException {
		JsonNode hints = JsonMapper.shared()
			.readTree(resources.resolve("META-INF/native-image/io.whizbang/sample-app/reachability-metadata.json")
				.toFile());
		Map<String, JsonNode> types = new HashMap<>();
		// Those of proxies have no name but a list of interfaces.
		hints.get("reflection")
			.valueStream()
			.filter((type) -> type.get("type").isString())
			.forEach((type) -> types.put(type.get("type").stringValue(), type));
		assertThat(types).containsKeys("io.whizbang.sample.message.OrderPlaced",
				"io.whizbang.sample.event.OrderEvent$Placed");
		assertThat(types.get("io.whizbang.sample.order.OrderConfirmation").findValuesAsString("name"))
			.contains("confirm");
		assertThat(hints.get("resources").findValuesAsString("glob")).contains("db/whizbang/changelog.yaml",
				"db/whizbang/**/*.sql");
	}

	private static void compile(Path sources, Path classes) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp",
				classes + File.pathSeparator + System.getProperty("java.class.path"), "-d", classes.toString()));
		try (Stream<Path> files = Files.walk(sources)) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.as("what javac answers")
			.isZero();
	}

}

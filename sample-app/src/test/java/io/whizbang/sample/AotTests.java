package io.whizbang.sample;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes the shop ahead of time, as a native image needs it, and starts on the JVM
 * what came out, which delivers an order.
 */
@PostgresTest
class AotTests {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	/** By class: handlers of every feature, and an operation of the endpoint. */
	private static final Map<String, String[]> CALLED = Map.ofEntries(called("payment.Payments", "pay"),
			called("order.OrderConfirmation", "confirm", "decline"), called("order.PaymentDeadline", "overdue"),
			called("sales.NightlyReport", "write"), called("statement.Statements", "write"),
			called("statement.StatementNights", "summarise"), called("picture.PictureResizer", "resize"),
			called("order.OrderSummaryPerspective", "placed", "paid", "declined", "expired", "cancelled"),
			called("sales.SalesPerDay", "paid", "cancelled", "create", "empty", "drop"),
			Map.entry("io.whizbang.autoconfigure.endpoint.WhizbangEndpoint",
					new String[] { "overview", "part", "blocked", "act" }));

	private static final List<String> READ_OR_WRITTEN = List.of("io.whizbang.sample.message.OrderPlaced",
			"io.whizbang.sample.message.PaymentReceived", "io.whizbang.sample.message.PaymentDeclined",
			"io.whizbang.sample.event.OrderEvent$Placed", "io.whizbang.sample.event.OrderEvent$Paid",
			"io.whizbang.sample.event.OrderEvent$Declined", "io.whizbang.sample.event.OrderEvent$Expired",
			"io.whizbang.sample.event.OrderEvent$Cancelled", "io.whizbang.sample.order.PaymentOverdue",
			"io.whizbang.sample.picture.ResizePicture", "io.whizbang.join.JoinResult", "io.whizbang.fanout.FanoutSlice",
			"io.whizbang.autoconfigure.endpoint.OverviewBody", "io.whizbang.autoconfigure.endpoint.OverviewLine");

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
			List<String> log = new CopyOnWriteArrayList<>();
			CompletableFuture<Boolean> started = new CompletableFuture<>();
			// Read to its end, so that the shop never waits for a reader.
			CompletableFuture.runAsync(() -> shop.inputReader().lines().forEach((line) -> {
				log.add(line);
				if (line.contains("Started ShopApplication")) {
					started.complete(true);
				}
			})).whenComplete((end, failure) -> started.complete(false));
			assertThat(started.get(300, TimeUnit.SECONDS)).as(() -> String.join("\n", log)).isTrue();
			assertThat(log).anyMatch((line) -> line.contains("Starting AOT-processed ShopApplication"))
				.anyMatch((line) -> line.contains("perspectives [order-summary, sales-per-day]"));
			anOrderIsPlacedPaidAndConfirmed(address(log));
		}
		finally {
			shop.destroy();
			assertThat(shop.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static Map.Entry<String, String[]> called(String type, String... methods) {
		return Map.entry("io.whizbang.sample." + type, methods);
	}

	private static String address(List<String> log) {
		return log.stream()
			.map(PORT::matcher)
			.filter(Matcher::find)
			.map((port) -> "http://localhost:" + port.group(1))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Through outbox, inbox, event store, a perspective and a timer that is cancelled.
	 */
	private static void anOrderIsPlacedPaidAndConfirmed(String shop) {
		RestTestClient client = RestTestClient.bindToServer().baseUrl(shop).build();
		URI order = client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"customerId\":\"c-1\",\"items\":[{\"sku\":\"tea\",\"quantity\":1,\"price\":4.20}]}")
			.exchange()
			.expectStatus()
			.isCreated()
			.returnResult(Void.class)
			.getResponseHeaders()
			.getLocation();
		assertThat(order).isNotNull();
		Await.untilAsserted(() -> client.get()
			.uri(order.toString())
			.exchange()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("CONFIRMED"));
		client.get().uri("/actuator/whizbang").exchange().expectBody().jsonPath("$.features.length()").isEqualTo(9);
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
		CALLED.forEach((type, methods) -> assertThat(methods(types.get(type))).as(type).contains(methods));
		READ_OR_WRITTEN.forEach((type) -> assertThat(methods(types.get(type))).as(type).contains("<init>"));
		assertThat(hints.get("resources").findValuesAsString("glob")).contains("db/whizbang/changelog.yaml",
				"db/whizbang/**/*.sql");
	}

	/** Whoever reads JSON needs constructors: all that are declared, or single ones. */
	private static List<String> methods(@Nullable JsonNode type) {
		if (type == null) {
			return List.of();
		}
		List<String> names = new ArrayList<>(type.findValuesAsString("name"));
		if (type.path("allDeclaredConstructors").asBoolean(false)) {
			names.add("<init>");
		}
		return names;
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

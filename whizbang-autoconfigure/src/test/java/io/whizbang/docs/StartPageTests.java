package io.whizbang.docs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.ToolProvider;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds what the page says, file by file, and starts it as a process of its own. Its
 * class path is what the page's {@code pom.xml} brings; Maven itself is left out, so that
 * no network is needed.
 */
@PostgresTest
class StartPageTests {

	private static final Pattern FILE = Pattern.compile("^`((?:src/|pom)[^`]+)`[^\\n]*:\\n\\n```\\w+\\n(.*?)^```$",
			Pattern.DOTALL | Pattern.MULTILINE);

	/** What the tests of this module have beyond the starter. */
	private static final Pattern NOT_OF_THE_STARTER = Pattern.compile(
			"test-classes|whizbang-test|flyway|spring-boot-liquibase|hibernate|jpa|kafka|rabbit|amqp|h2-|webmvc|servlet|tomcat"
					+ "|junit|mockito|opentelemetry|micrometer-tracing|prometheus|actuator|spring-boot-health|security");

	private static final Map<String, String> FILES = files();

	@TempDir
	Path folder;

	@Test
	void theFilesMakeAnApplicationThatDeliversItsFirstMessage(PostgresDatabase database) throws Exception {
		FILES.forEach(this::write);
		Path classes = this.folder.resolve("target/classes");
		compile(classes);
		Files.walk(this.folder.resolve("src/main/resources"))
			.filter(Files::isRegularFile)
			.forEach((file) -> copy(file, classes));

		Process application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-cp",
				classes + File.pathSeparator + classPath(), "com.example.shop.ShopApplication",
				"--spring.datasource.url=" + database.jdbcUrl(),
				"--spring.datasource.username=" + database.server().username(),
				"--spring.datasource.password=" + database.server().password())
			.redirectErrorStream(true)
			.start();
		try {
			List<String> log = new ArrayList<>();
			CompletableFuture
				.supplyAsync(() -> application.inputReader()
					.lines()
					.peek(log::add)
					.anyMatch((line) -> line.contains("Thank you, Ada, for order ")))
				.get(300, TimeUnit.SECONDS);
			assertThat(log).as(() -> String.join("\n", log)).last().asString().contains("Thank you, Ada, for order ");
			String announced = Page.of("docs/start.md").text();
			assertThat(log).filteredOn((line) -> line.contains("Whizbang for service"))
				.singleElement()
				.satisfies((line) -> assertThat(announced).contains(line.substring(line.indexOf("Whizbang for"))));
			assertThat(database.jdbc().queryForList("select customer from orders", String.class))
				.containsExactly("Ada");
		}
		finally {
			application.destroy();
			assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(database.jdbc().queryForObject("select count(*) from whizbang.wh_work", Integer.class)).isZero();
	}

	@Test
	void theBuildNamesTheVersionsOfThisRelease() throws IOException {
		String root = Files.readString(Page.ROOT.resolve("pom.xml"));
		assertThat(FILES.get("pom.xml")).contains("<version>" + value(root, "spring-boot.version") + "</version>",
				"<version>" + value(root, "version") + "</version>", "<java.version>17</java.version>");
	}

	private static String value(String pom, String element) {
		Matcher matcher = Pattern.compile("<%s>([^<$]+)</%s>".formatted(element, element)).matcher(pom);
		assertThat(matcher.find()).as(element).isTrue();
		return matcher.group(1);
	}

	private static Map<String, String> files() {
		Map<String, String> files = new TreeMap<>();
		for (Matcher file = FILE.matcher(Page.of("docs/start.md").text()); file.find();) {
			files.put(file.group(1), file.group(2));
		}
		assertThat(files).hasSize(7);
		return files;
	}

	private void write(String path, String text) {
		try {
			Path file = this.folder.resolve(path);
			Files.createDirectories(file.getParent());
			Files.writeString(file, text);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot write " + path, ex);
		}
	}

	private static void copy(Path file, Path folder) {
		try {
			Files.copy(file, folder.resolve(file.getFileName()));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot copy " + file, ex);
		}
	}

	private void compile(Path classes) throws IOException {
		Files.createDirectories(classes);
		List<String> arguments = new ArrayList<>(
				List.of("--release", "17", "-parameters", "-proc:none", "-cp", classPath(), "-d", classes.toString()));
		FILES.keySet()
			.stream()
			.filter((path) -> path.endsWith(".java"))
			.forEach((path) -> arguments.add(this.folder.resolve(path).toString()));
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.as("what javac answers")
			.isZero();
	}

	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((
					entry) -> !NOT_OF_THE_STARTER.matcher(entry.substring(Math.max(0, entry.lastIndexOf("repository"))))
						.find())
			.collect(Collectors.joining(File.pathSeparator));
	}

}

package io.whizbang.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * People type what CI runs.
 */
class CommandsTests {

	private static final String CHECK = "mvn -B -ntp verify";

	private static final String START_SAMPLE = "mvn -B -ntp -pl sample-app -am spring-boot:run";

	private final Path root = RepositoryRoot.find();

	@Test
	void theCheckRunsOneCommand() throws IOException {
		assertThat(mavenCommands(this.root.resolve(".ci/run"))).containsExactly(CHECK);
		assertThat(this.root.resolve(".ci/run")).isExecutable();
	}

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "CONTRIBUTING.md" })
	void peopleAreToldTheSameCommands(String page) throws IOException {
		assertThat(Files.readString(this.root.resolve(page))).contains(CHECK, START_SAMPLE);
	}

	private static List<String> mavenCommands(Path file) throws IOException {
		return Files.readAllLines(file).stream().map(String::trim).filter((line) -> line.startsWith("mvn")).toList();
	}

}

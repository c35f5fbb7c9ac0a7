package io.whizbang.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChangelogTests {

	private static final Path FOLDER = Path.of("src/main/resources", Changelog.FOLDER);

	@Test
	void listsEveryFileInTheFolders() throws IOException {
		try (Stream<Path> files = Files.walk(FOLDER)) {
			List<String> inFolder = files.filter((file) -> file.toString().endsWith(".sql"))
				.map((file) -> Changelog.FOLDER + FOLDER.relativize(file).toString().replace('\\', '/'))
				.toList();
			assertThat(sqlFiles().keySet()).containsExactlyInAnyOrderElementsOf(inFolder);
		}
	}

	@Test
	void listsTablesInTheOrderOfTheirNumbers() {
		assertThat(sqlFiles().keySet().stream().filter((file) -> file.contains("/tables/")).toList()).isSorted();
	}

	@Test
	void namesEveryChangeAfterItsFileAndKeepsItWhole() {
		sqlFiles().forEach((path, text) -> {
			String name = path.substring(path.lastIndexOf('/') + 1).replace(".sql", "");
			List<String> lines = text.lines().limit(2).toList();
			assertThat(lines.get(0)).as(path).isEqualTo("--liquibase formatted sql");
			assertThat(lines.get(1).split(" ")).as(path)
				.startsWith("--changeset", "whizbang:" + name)
				.contains("splitStatements:false", "stripComments:false");
		});
	}

	@Test
	void runsFunctionsAgainWhenTheyChangeAndTablesNever() {
		sqlFiles().forEach((path, text) -> assertThat(text.contains("runOnChange:true")).as(path)
			.isEqualTo(path.contains("/functions/")));
	}

	/**
	 * A plan that cannot do without what is forbidden counts as very expensive before
	 * PostgreSQL 18, and so would be compiled at each call. Parts of an exchange inherit
	 * this from it.
	 */
	@Test
	void doesNotCompileWhereItForbidsPlans() {
		assertThat(sqlFiles().entrySet()
			.stream()
			.filter((file) -> !file.getKey().contains("/functions/claim/"))
			.filter((file) -> file.getValue().contains("\nset enable_"))
			.filter((file) -> !file.getValue().contains("\nset jit = off\n"))
			.map(Map.Entry::getKey)).isEmpty();
	}

	@Test
	void leavesTheNameOfTheSchemaToTheSettings() {
		sqlFiles().forEach((path, text) -> assertThat(text).as(path).doesNotContainPattern("\\bwhizbang\\.\\w"));
	}

	@Test
	void hasAFingerprintThatStaysTheSame() {
		assertThat(Changelog.read().fingerprint()).hasSize(64).isEqualTo(Changelog.read().fingerprint());
	}

	private static Map<String, String> sqlFiles() {
		Map<String, String> files = new LinkedHashMap<>(Changelog.read().files());
		files.remove(Changelog.ENTRY);
		return files;
	}

}

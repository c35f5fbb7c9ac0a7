package io.whizbang.build;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the repository starts, seen from a test of any module.
 */
final class RepositoryRoot {

	private RepositoryRoot() {
	}

	static Path find() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("settings.gradle.kts"))) {
			directory = directory.getParent();
			if (directory == null) {
				throw new IllegalStateException("settings.gradle.kts is in no directory above this one");
			}
		}
		return directory;
	}

}

package io.whizbang.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the Gradle scripts, which keep to a few plain shapes. A line of any other shape
 * is refused, so that nothing escapes the comparison.
 */
final class GradleBuild {

	private static final Pattern VERSION = Pattern.compile("([\\w-]+) = \"([^\"]+)\"");

	private static final Pattern LIBRARY = Pattern
		.compile("([\\w-]+) = \\{ module = \"([^\"]+)\", version\\.ref = \"([^\"]+)\" }");

	private static final Pattern DEPENDENCY = Pattern
		.compile("(\\w+)\\((?:project\\(\":([\\w-]+)\"\\)|libs\\.([\\w.]+)|\"([\\w.-]+:[\\w.-]+)\")\\)");

	private static final Set<String> CONFIGURATIONS = Set.of("annotationProcessor", "api", "implementation",
			"compileOnly", "runtimeOnly", "testImplementation");

	private final Path directory;

	private final String script;

	private final Map<String, String> versions = new TreeMap<>();

	private final Map<String, String> libraries = new TreeMap<>();

	private final Map<String, String> accessors = new TreeMap<>();

	private final Map<String, String> mainClasses = new TreeMap<>();

	private GradleBuild(Path directory) {
		this.directory = directory;
		this.script = String.join("\n", lines(directory.resolve("build.gradle.kts")));
	}

	static BuildDescription read(Path directory) {
		return new GradleBuild(directory).describe();
	}

	private BuildDescription describe() {
		readCatalog();
		String group = one("group = \"([^\"]+)\"");
		List<String> modules = all(String.join("\n", lines(this.directory.resolve("settings.gradle.kts"))),
				"include\\(\"([^\"]+)\"\\)");
		Map<String, Set<String>> dependencies = new TreeMap<>();
		for (String module : modules) {
			dependencies.put(module, dependencies(module, group));
		}
		Set<String> platforms = new TreeSet<>();
		for (String name : all(this.script, "\"implementation\"\\(platform\\((\\w+)\\)\\)")) {
			platforms.add(library(one("val " + name + " = libs\\.([\\w.]+)")));
		}
		return new BuildDescription(group, one("version = \"([^\"]+)\""), one("options\\.release = (\\d+)"),
				one("\"(-Xlint:[^\"]+)\""), modules, this.mainClasses, this.versions, this.libraries, platforms,
				dependencies);
	}

	private void readCatalog() {
		String section = "";
		for (String line : lines(this.directory.resolve("gradle/libs.versions.toml"))) {
			if (line.startsWith("[")) {
				section = line;
				continue;
			}
			switch (section) {
				case "[versions]" -> {
					Matcher version = match(VERSION, line, "libs.versions.toml");
					this.versions.put(version.group(1), version.group(2));
				}
				case "[libraries]" -> {
					Matcher library = match(LIBRARY, line, "libs.versions.toml");
					this.accessors.put(library.group(1).replace('-', '.'), library.group(2));
					this.libraries.put(library.group(2), library.group(3));
				}
				default ->
					throw new IllegalStateException("Section '" + section + "' of libs.versions.toml is unknown");
			}
		}
	}

	private Set<String> dependencies(String module, String group) {
		Set<String> found = new TreeSet<>();
		String block = "";
		for (String line : lines(this.directory.resolve(module).resolve("build.gradle.kts"))) {
			if (block.isEmpty()) {
				block = match(Pattern.compile("(plugins|application|dependencies) \\{"), line, module).group(1);
			}
			else if (line.equals("}")) {
				block = "";
			}
			else if (block.equals("plugins")) {
				match(Pattern.compile("`java-library`|application"), line, module);
			}
			else if (block.equals("application")) {
				this.mainClasses.put(module,
						match(Pattern.compile("mainClass = \"([\\w.]+)\""), line, module).group(1));
			}
			else {
				check(found.add(dependency(line, module, group)), module + " declares '" + line + "' twice");
			}
		}
		return found;
	}

	private String dependency(String line, String module, String group) {
		Matcher dependency = match(DEPENDENCY, line, module);
		check(CONFIGURATIONS.contains(dependency.group(1)),
				"Configuration '%s' in %s has no Maven scope".formatted(dependency.group(1), module));
		String coordinates = dependency.group(4);
		if (dependency.group(2) != null) {
			coordinates = group + ":" + dependency.group(2);
		}
		else if (dependency.group(3) != null) {
			coordinates = library(dependency.group(3));
		}
		else {
			check(!this.libraries.containsKey(coordinates),
					"%s must take %s from libs.versions.toml".formatted(module, coordinates));
		}
		return dependency.group(1) + " " + coordinates;
	}

	private String library(String accessor) {
		String coordinates = this.accessors.get(accessor);
		check(coordinates != null, "libs." + accessor + " is not in libs.versions.toml");
		return coordinates;
	}

	private String one(String pattern) {
		List<String> found = all(this.script, pattern);
		check(found.size() == 1, "build.gradle.kts must have exactly one '%s' but has %s".formatted(pattern, found));
		return found.get(0);
	}

	private static List<String> all(String text, String pattern) {
		List<String> found = new ArrayList<>();
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		while (matcher.find()) {
			found.add(matcher.group(1));
		}
		return found;
	}

	private static Matcher match(Pattern pattern, String line, String where) {
		Matcher matcher = pattern.matcher(line);
		check(matcher.matches(), "Cannot understand '%s' in the Gradle build of %s".formatted(line, where));
		return matcher;
	}

	/** Returns the lines without indentation, empty ones and comments. */
	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file)
				.stream()
				.map(String::trim)
				.filter((line) -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("#"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void check(boolean condition, String message) {
		if (!condition) {
			throw new IllegalStateException(message);
		}
	}

}

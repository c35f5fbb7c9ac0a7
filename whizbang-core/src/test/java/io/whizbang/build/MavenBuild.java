package io.whizbang.build;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Reads the poms. What it does not know, it refuses, so that nothing escapes the
 * comparison.
 */
final class MavenBuild {

	/** Checkers that only Maven runs. */
	private static final Set<String> OWN_PROCESSORS = Set.of("com.google.errorprone:error_prone_core",
			"com.uber.nullaway:nullaway");

	private static final Set<String> OWN_VERSIONS = Set.of("error-prone", "nullaway", "spring-javaformat");

	private final Path directory;

	private final Element root;

	private final Map<String, String> properties;

	private final Map<String, String> libraries = new TreeMap<>();

	private final Set<String> platforms = new TreeSet<>();

	private MavenBuild(Path directory) {
		this.directory = directory;
		this.root = parse(directory.resolve("pom.xml"));
		this.properties = properties(this.root);
	}

	static BuildDescription read(Path directory) {
		return new MavenBuild(directory).describe();
	}

	private BuildDescription describe() {
		readManagement();
		String group = text(this.root, "groupId");
		List<String> modules = children(child(this.root, "modules")).stream().map(Element::getTextContent).toList();
		Map<String, Set<String>> dependencies = new TreeMap<>();
		Map<String, String> mainClasses = new TreeMap<>();
		for (String module : modules) {
			Element pom = parse(this.directory.resolve(module).resolve("pom.xml"));
			check(text(this.root, "version").equals(text(child(pom, "parent"), "version")),
					module + " has another parent version than the root");
			Map<String, String> own = new TreeMap<>(this.properties);
			own.putAll(properties(pom));
			boolean application = false;
			if ("false".equals(own.get("spring-boot.run.skip"))) {
				application = true;
				mainClasses.put(module, own.get("spring-boot.run.main-class"));
			}
			if ("false".equals(own.get("exec.skip"))) {
				application = true;
				mainClasses.put(module, own.get("exec.mainClass"));
			}
			dependencies.put(module, dependencies(module, pom, application));
		}
		Map<String, String> versions = new TreeMap<>();
		this.properties.forEach((name, value) -> {
			if (name.endsWith(".version") && !OWN_VERSIONS.contains(versionName(name))) {
				versions.put(versionName(name), value);
			}
		});
		return new BuildDescription(group, text(this.root, "version"), this.properties.get("maven.compiler.release"),
				this.properties.get("javac.lint"), modules, mainClasses, versions, this.libraries, this.platforms,
				dependencies);
	}

	private void readManagement() {
		for (Element managed : children(child(child(this.root, "dependencyManagement"), "dependencies"))) {
			if (text(managed, "groupId").equals(text(this.root, "groupId"))) {
				continue;
			}
			this.libraries.put(coordinates(managed), versionName(text(managed, "version")));
			if ("import".equals(text(managed, "scope"))) {
				this.platforms.add(coordinates(managed));
			}
		}
	}

	private Set<String> dependencies(String module, Element pom, boolean application) {
		Set<String> found = new TreeSet<>();
		for (Element dependency : children(child(pom, "dependencies"))) {
			for (Element part : children(dependency)) {
				check(Set.of("groupId", "artifactId", "scope", "optional").contains(part.getTagName()),
						"<%s> of a dependency in %s is not compared with Gradle; teach MavenBuild and GradleBuild about it"
							.formatted(part.getTagName(), module));
			}
			found.add(configuration(dependency, module, application) + " " + coordinates(dependency));
		}
		for (Element processor : processors(pom)) {
			if (!OWN_PROCESSORS.contains(coordinates(processor))) {
				found.add("annotationProcessor " + coordinates(processor));
				this.libraries.put(coordinates(processor), versionName(text(processor, "version")));
			}
		}
		return found;
	}

	private static String configuration(Element dependency, String module, boolean application) {
		String scope = text(dependency, "scope");
		if ("true".equals(text(dependency, "optional"))) {
			check(scope.isEmpty(), "An optional dependency of " + module + " has the scope " + scope);
			return "compileOnly";
		}
		return switch (scope) {
			case "", "compile" -> application ? "implementation" : "api";
			case "provided" -> "compileOnly";
			case "runtime" -> "runtimeOnly";
			case "test" -> "testImplementation";
			default -> throw new IllegalStateException("Scope '" + scope + "' in " + module + " has no Gradle name");
		};
	}

	private static List<Element> processors(Element pom) {
		List<Element> found = new ArrayList<>();
		for (Element plugin : children(child(child(pom, "build"), "plugins"))) {
			found.addAll(children(child(child(plugin, "configuration"), "annotationProcessorPaths")));
		}
		return found;
	}

	private static String versionName(String property) {
		String name = property.replaceAll("^\\$\\{(.*)}$", "$1");
		check(name.endsWith(".version"), "Version '" + property + "' must be a property whose name ends in '.version'");
		return name.substring(0, name.length() - ".version".length());
	}

	private static String coordinates(Element dependency) {
		return text(dependency, "groupId") + ":" + text(dependency, "artifactId");
	}

	private static Map<String, String> properties(Element pom) {
		Map<String, String> found = new LinkedHashMap<>();
		children(child(pom, "properties"))
			.forEach((property) -> found.put(property.getTagName(), property.getTextContent().trim()));
		return found;
	}

	private static String text(Element parent, String name) {
		return children(parent).stream()
			.filter((element) -> element.getTagName().equals(name))
			.map((element) -> element.getTextContent().trim())
			.findFirst()
			.orElse("");
	}

	/** Returns the child, or an empty element when there is none. */
	private static Element child(Element parent, String name) {
		return children(parent).stream()
			.filter((element) -> element.getTagName().equals(name))
			.findFirst()
			.orElseGet(() -> parent.getOwnerDocument().createElement(name));
	}

	private static List<Element> children(Element parent) {
		List<Element> found = new ArrayList<>();
		for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
			if (node instanceof Element element) {
				found.add(element);
			}
		}
		return found;
	}

	private static Element parse(Path pom) {
		try {
			return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
		}
		catch (IOException | SAXException | ParserConfigurationException ex) {
			throw new IllegalStateException("Cannot read " + pom, ex);
		}
	}

	private static void check(boolean condition, String message) {
		if (!condition) {
			throw new IllegalStateException(message);
		}
	}

}

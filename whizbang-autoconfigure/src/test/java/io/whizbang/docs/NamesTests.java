package io.whizbang.docs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.whizbang.observation.ObservationNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamesTests {

	private static final Pattern TEST_CLASS = Pattern.compile("\\b[A-Z]\\w*Tests\\b");

	private static final Pattern PROPERTY_OR_METER = Pattern.compile("`(whizbang\\.[a-z.-]+)(?:: [^`]*)?`");

	@ParameterizedTest
	@MethodSource("io.whizbang.docs.Page#all")
	void everyTestClassThatIsNamedExists(Page page) throws IOException {
		Set<String> named = TEST_CLASS.matcher(page.text())
			.results()
			.map((match) -> match.group())
			.collect(Collectors.toSet());
		assertThat(testClasses()).as("test classes, as %s names them", page).containsAll(named);
	}

	@ParameterizedTest
	@MethodSource("io.whizbang.docs.Page#all")
	void everyPropertyAndMeterThatIsNamedExists(Page page) throws Exception {
		Set<String> known = new HashSet<>(observationNames());
		for (String property : PropertyMetadata.read().keySet()) {
			known.add(property);
			known.add(property.substring(0, property.lastIndexOf('.')));
		}
		Set<String> named = PROPERTY_OR_METER.matcher(page.text())
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
		assertThat(known).as("properties and meters, as %s names them", page).containsAll(named);
	}

	@Test
	void everyMeterAndSpanIsListed() throws IllegalAccessException {
		assertThat(Page.of("docs/operations/metrics.md").text())
			.contains(observationNames().stream().map((name) -> "`" + name + "`").toList());
	}

	@Test
	void readmeStaysShort() {
		assertThat(Page.of("README.md").text().lines()).hasSizeLessThanOrEqualTo(150);
	}

	private static List<String> observationNames() throws IllegalAccessException {
		List<String> names = new ArrayList<>();
		for (Field field : ObservationNames.class.getDeclaredFields()) {
			if (Modifier.isPublic(field.getModifiers())) {
				names.add(String.valueOf(field.get(null)));
			}
		}
		return names;
	}

	private static Set<String> testClasses() throws IOException {
		try (Stream<Path> files = Files.walk(Page.ROOT)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith("Tests.java"))
				.map((name) -> name.substring(0, name.length() - ".java".length()))
				.collect(Collectors.toSet());
		}
	}

}

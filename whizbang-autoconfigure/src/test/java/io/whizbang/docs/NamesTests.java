package io.whizbang.docs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

	@ParameterizedTest
	@MethodSource("io.whizbang.docs.Page#all")
	void everyTestClassThatIsNamedExists(Page page) throws IOException {
		Set<String> named = TEST_CLASS.matcher(page.text())
			.results()
			.map((match) -> match.group())
			.collect(Collectors.toSet());
		assertThat(testClasses()).as("test classes, as %s names them", page).containsAll(named);
	}

	@Test
	void everyMeterAndSpanIsListed() throws IllegalAccessException {
		List<String> names = new ArrayList<>();
		for (Field field : ObservationNames.class.getDeclaredFields()) {
			if (Modifier.isPublic(field.getModifiers())) {
				names.add("`" + field.get(null) + "`");
			}
		}
		assertThat(Page.of("docs/outbox.md").text()).contains(names);
	}

	@Test
	void readmeStaysShort() {
		assertThat(Page.of("README.md").text().lines()).hasSizeLessThanOrEqualTo(150);
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

package io.whizbang.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every auto-configuration has the same outside: registered, public so that others can
 * order themselves around it, and nothing to call.
 */
class AutoConfigurationShapeTests {

	private final List<Class<?>> autoConfigurations = findAutoConfigurations();

	@Test
	void areRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.whizbang.")))
			.containsExactlyInAnyOrderElementsOf(this.autoConfigurations.stream().map(Class::getName).toList());
	}

	@Test
	void arePublicAndFinal() {
		assertThat(this.autoConfigurations).isNotEmpty().allSatisfy((type) -> {
			assertThat(Modifier.isPublic(type.getModifiers())).as("public").isTrue();
			assertThat(Modifier.isFinal(type.getModifiers())).as("final").isTrue();
		});
	}

	@Test
	void haveNoPublicMethods() {
		assertThat(this.autoConfigurations.stream().flatMap(AutoConfigurationShapeTests::publicMethods)).isEmpty();
	}

	private static Stream<Method> publicMethods(Class<?> type) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
	}

	private static List<Class<?>> findAutoConfigurations() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(AutoConfiguration.class));
		return scanner.findCandidateComponents("io.whizbang")
			.stream()
			.map(BeanDefinition::getBeanClassName)
			.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, null))
			.toList();
	}

}

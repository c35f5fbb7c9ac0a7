package io.whizbang.lease;

import java.lang.reflect.Method;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LeasedMethodTests {

	@Test
	void tellsHowADurationIsWritten() {
		assertThatIllegalStateException().isThrownBy(() -> leased("slow"))
			.withMessageContaining("slow(")
			.withMessageContaining("\"5 minutes\"")
			.withMessageContaining("5m or PT5M");
	}

	@Test
	void tellsWhosePlaceholderHasNoValue() {
		assertThatIllegalStateException().isThrownBy(() -> leased("unset"))
			.withMessageContaining("unset(")
			.withMessageContaining("'nowhere.set'")
			.withMessageContaining("default");
	}

	/** The hash before the name of a parameter is easily forgotten. */
	@Test
	void tellsHowParametersAreNamedWhenAnExpressionFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> leased("forgotten").name(this, new @Nullable Object[] { "acme" }))
			.withMessageContaining("forgotten(")
			.withMessageContaining("\"import-#{supplier}\"")
			.withMessageContaining("#{#supplier}");
		assertThat(leased("named").name(this, new @Nullable Object[] { "acme" })).isEqualTo("import-acme");
	}

	private static LeasedMethod leased(String name) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.addEmbeddedValueResolver(new StandardEnvironment()::resolveRequiredPlaceholders);
		Method method = ReflectionUtils.findMethod(Methods.class, name, (Class<?>[]) null);
		assertThat(method).isNotNull();
		Leased annotation = method.getAnnotation(Leased.class);
		assertThat(annotation).isNotNull();
		return LeasedMethod.of(method, annotation, Duration.ofMinutes(5), beans);
	}

	static class Methods {

		@Leased(value = "slow", atMost = "5 minutes")
		void slow() {
		}

		@Leased("${nowhere.set}")
		void unset() {
		}

		@Leased("import-#{supplier}")
		void forgotten(String supplier) {
		}

		@Leased("import-#{#supplier}")
		void named(String supplier) {
		}

	}

}

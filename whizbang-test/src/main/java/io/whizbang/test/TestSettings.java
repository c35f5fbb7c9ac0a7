package io.whizbang.test;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What who runs the tests has said, as a system property or in the environment.
 */
final class TestSettings {

	private TestSettings() {
	}

	static @Nullable String get(String name) {
		String property = System.getProperty("whizbang.test." + name);
		String value = (property != null) ? property
				: System.getenv("WHIZBANG_TEST_" + name.replace('.', '_').toUpperCase(Locale.ROOT));
		return (value != null && !value.isBlank()) ? value : null;
	}

}

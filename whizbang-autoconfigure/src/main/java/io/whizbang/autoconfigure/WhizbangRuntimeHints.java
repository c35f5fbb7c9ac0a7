package io.whizbang.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Takes the changelog along into native images.
 */
class WhizbangRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("db/whizbang/changelog.yaml").registerPattern("db/whizbang/**/*.sql");
	}

}

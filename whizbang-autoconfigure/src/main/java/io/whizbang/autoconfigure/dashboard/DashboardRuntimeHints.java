package io.whizbang.autoconfigure.dashboard;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Takes the files of the page along into native images.
 */
class DashboardRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		String folder = getClass().getPackageName().replace('.', '/') + "/";
		DashboardFiles.NAMES.forEach((name) -> hints.resources().registerPattern(folder + name));
	}

}

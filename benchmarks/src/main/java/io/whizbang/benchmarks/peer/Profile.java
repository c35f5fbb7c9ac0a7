package io.whizbang.benchmarks.peer;

import java.util.Locale;

/**
 * How a contender is set up.
 */
enum Profile {

	/** As its own documentation recommends for throughput. */
	TUNED,

	/** As it comes. */
	DEFAULTS;

	static Profile of(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

	String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}

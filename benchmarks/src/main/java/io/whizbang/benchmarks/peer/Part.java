package io.whizbang.benchmarks.peer;

import java.util.Locale;

/**
 * What can be measured.
 */
enum Part {

	DRAIN, STEADY, ALONE, LATENCY, TWO, FOUR, CLAIM, CHURN, TIMERS, LOCKS, IDLE;

	static Part of(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

}

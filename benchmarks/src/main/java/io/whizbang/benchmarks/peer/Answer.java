package io.whizbang.benchmarks.peer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a contender's process answers: figures by name.
 *
 * @param figures the figures
 */
record Answer(Map<String, Double> figures) {

	Answer() {
		this(new LinkedHashMap<>());
	}

	Answer with(String name, double figure) {
		this.figures.put(name, figure);
		return this;
	}

	Answer with(String name, long count) {
		return with(name, (double) count);
	}

	double get(String name) {
		return this.figures.getOrDefault(name, Double.NaN);
	}

}

package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/**
 * The arguments of a storm, each {@code name=value}, with defaults for what is not named.
 * Every storm has {@code seconds}, {@code instances} and {@code seed}.
 */
final class StormArguments {

	private final Map<String, Long> values = new LinkedHashMap<>();

	StormArguments(Duration time, int instances) {
		this.values.put("seconds", time.toSeconds());
		this.values.put("instances", (long) instances);
		this.values.put("seed", ThreadLocalRandom.current().nextLong(1L << 32));
	}

	/** Adds an argument that this storm has. */
	StormArguments with(String name, long value) {
		this.values.put(name, value);
		return this;
	}

	/** Reads what the user wants. */
	StormArguments read(String... arguments) {
		for (String argument : arguments) {
			int at = argument.indexOf('=');
			Assert.isTrue(at > 0, () -> "An argument must be name=value but is '" + argument + "'");
			String name = argument.substring(0, at);
			Assert.isTrue(this.values.containsKey(name),
					() -> "There is no setting '" + name + "'; there are " + String.join(", ", this.values.keySet()));
			this.values.put(name, Long.parseLong(argument.substring(at + 1)));
		}
		return this;
	}

	long number(String name) {
		Long value = this.values.get(name);
		Assert.state(value != null, () -> "The storm has no setting '" + name + "'");
		return value;
	}

	int count(String name) {
		return Math.toIntExact(number(name));
	}

	Duration time() {
		return Duration.ofSeconds(number("seconds"));
	}

}

package io.whizbang.benchmarks.chaos;

import java.time.Duration;

/**
 * What a storm does.
 *
 * @param time how long it lasts
 * @param rate how many messages are stored in a second, all producers together, if they
 * can
 * @param producers how many produce at once
 * @param instances how many instances there are at most
 * @param backlog how many messages may wait before producers pause
 * @param seed where its chance comes from
 */
record StormSettings(Duration time, int rate, int producers, int instances, int backlog, long seed) {

	/**
	 * Reads settings.
	 * @param arguments each {@code name=value}, of {@code seconds}, {@code rate},
	 * {@code producers}, {@code instances}, {@code backlog} and {@code seed}
	 * @return the settings, with defaults for what is not named
	 */
	static StormSettings of(String... arguments) {
		StormArguments values = new StormArguments(Duration.ofMinutes(5), 4).with("rate", 3000)
			.with("producers", 8)
			.with("backlog", 20_000)
			.read(arguments);
		return new StormSettings(values.time(), values.count("rate"), values.count("producers"),
				values.count("instances"), values.count("backlog"), values.number("seed"));
	}

}

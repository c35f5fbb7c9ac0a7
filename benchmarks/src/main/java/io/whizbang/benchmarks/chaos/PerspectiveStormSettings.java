package io.whizbang.benchmarks.chaos;

import java.time.Duration;

/**
 * What a storm over perspectives does.
 *
 * @param events how many events are committed at least
 * @param time over how long, if the machine can
 * @param writers how many write at once
 * @param streams over how many streams
 * @param instances how many instances there are at most
 * @param seed where its chance comes from
 */
record PerspectiveStormSettings(long events, Duration time, int writers, int streams, int instances, long seed) {

	/**
	 * Reads settings.
	 * @param arguments each {@code name=value}, of {@code events}, {@code seconds},
	 * {@code writers}, {@code streams}, {@code instances} and {@code seed}
	 * @return the settings, with defaults for what is not named
	 */
	static PerspectiveStormSettings of(String... arguments) {
		StormArguments values = new StormArguments(Duration.ofMinutes(2), 3).with("events", 100_000)
			.with("writers", 24)
			.with("streams", 200)
			.read(arguments);
		return new PerspectiveStormSettings(values.number("events"), values.time(), values.count("writers"),
				values.count("streams"), values.count("instances"), values.number("seed"));
	}

	/** Nanoseconds between two transactions of one writer, which have six events. */
	long pause() {
		return this.time.toNanos() / this.events * this.writers * StormWriter.EVENTS;
	}

}

package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

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
		PerspectiveStormSettings settings = new PerspectiveStormSettings(100_000, Duration.ofMinutes(2), 24, 200, 3,
				ThreadLocalRandom.current().nextLong(1L << 32));
		for (String argument : arguments) {
			int at = argument.indexOf('=');
			Assert.isTrue(at > 0, () -> "An argument must be name=value but is '" + argument + "'");
			settings = settings.with(argument.substring(0, at), Long.parseLong(argument.substring(at + 1)));
		}
		return settings;
	}

	private PerspectiveStormSettings with(String name, long value) {
		int number = (int) value;
		return switch (name) {
			case "events" ->
				new PerspectiveStormSettings(value, this.time, this.writers, this.streams, this.instances, this.seed);
			case "seconds" -> new PerspectiveStormSettings(this.events, Duration.ofSeconds(value), this.writers,
					this.streams, this.instances, this.seed);
			case "writers" ->
				new PerspectiveStormSettings(this.events, this.time, number, this.streams, this.instances, this.seed);
			case "streams" ->
				new PerspectiveStormSettings(this.events, this.time, this.writers, number, this.instances, this.seed);
			case "instances" ->
				new PerspectiveStormSettings(this.events, this.time, this.writers, this.streams, number, this.seed);
			case "seed" ->
				new PerspectiveStormSettings(this.events, this.time, this.writers, this.streams, this.instances, value);
			default -> throw new IllegalArgumentException(
					"There is no setting '" + name + "'; there are events, seconds, writers, streams, instances, seed");
		};
	}

	/** Nanoseconds between two transactions of one writer, which have six events. */
	long pause() {
		return this.time.toNanos() / this.events * this.writers * StormWriter.EVENTS;
	}

}

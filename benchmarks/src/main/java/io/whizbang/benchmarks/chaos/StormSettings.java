package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

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
		StormSettings settings = new StormSettings(Duration.ofMinutes(5), 3000, 8, 4, 20_000,
				ThreadLocalRandom.current().nextLong(1L << 32));
		for (String argument : arguments) {
			int at = argument.indexOf('=');
			Assert.isTrue(at > 0, () -> "An argument must be name=value but is '" + argument + "'");
			settings = settings.with(argument.substring(0, at), Long.parseLong(argument.substring(at + 1)));
		}
		return settings;
	}

	private StormSettings with(String name, long value) {
		int number = (int) value;
		return switch (name) {
			case "seconds" -> new StormSettings(Duration.ofSeconds(value), this.rate, this.producers, this.instances,
					this.backlog, this.seed);
			case "rate" ->
				new StormSettings(this.time, number, this.producers, this.instances, this.backlog, this.seed);
			case "producers" ->
				new StormSettings(this.time, this.rate, number, this.instances, this.backlog, this.seed);
			case "instances" ->
				new StormSettings(this.time, this.rate, this.producers, number, this.backlog, this.seed);
			case "backlog" ->
				new StormSettings(this.time, this.rate, this.producers, this.instances, number, this.seed);
			case "seed" -> new StormSettings(this.time, this.rate, this.producers, this.instances, this.backlog, value);
			default -> throw new IllegalArgumentException(
					"There is no setting '" + name + "'; there are seconds, rate, producers, instances, backlog, seed");
		};
	}

}

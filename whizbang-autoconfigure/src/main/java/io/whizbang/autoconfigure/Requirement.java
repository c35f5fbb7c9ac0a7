package io.whizbang.autoconfigure;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * What a property's value must be; a refusal names the property and the value.
 */
final class Requirement {

	private Requirement() {
	}

	static void atLeast(String property, long least, long value) {
		Assert.isTrue(value >= least, () -> "%s must be at least %d but is %d".formatted(property, least, value));
	}

	static void atLeast(String property, double least, double value) {
		Assert.isTrue(value >= least, () -> "%s must be at least %s but is %s".formatted(property, least, value));
	}

	static void atLeast(String property, Duration least, Duration value) {
		Assert.isTrue(value.compareTo(least) >= 0,
				() -> "%s must be at least %s but is %s".formatted(property, text(least), text(value)));
	}

	static void positive(String property, Duration value) {
		Assert.isTrue(!value.isNegative() && !value.isZero(),
				() -> "%s must be above 0 but is %s".formatted(property, text(value)));
	}

	static void notNegative(String property, Duration value) {
		Assert.isTrue(!value.isNegative(), () -> "%s must not be negative but is %s".formatted(property, text(value)));
	}

	static void above(String property, Duration value, String lowerProperty, Duration lower) {
		Assert.isTrue(value.compareTo(lower) > 0, () -> "%s must be above %s (%s) but is %s".formatted(property,
				lowerProperty, text(lower), text(value)));
	}

	static void notBelow(String property, Duration value, String lowerProperty, Duration lower) {
		Assert.isTrue(value.compareTo(lower) >= 0, () -> "%s must not be below %s (%s) but is %s".formatted(property,
				lowerProperty, text(lower), text(value)));
	}

	/** As people write it in properties. */
	private static String text(Duration value) {
		return (value.toMillis() % 1000 == 0) ? value.toSeconds() + "s" : value.toMillis() + "ms";
	}

}

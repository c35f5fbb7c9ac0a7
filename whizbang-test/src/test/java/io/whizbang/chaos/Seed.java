package io.whizbang.chaos;

import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the chance of a run comes from: {@code -Dwhizbang.chaos.seed=...} repeats one, as
 * far as threads allow.
 */
final class Seed {

	private static final Logger logger = LoggerFactory.getLogger(Seed.class);

	private Seed() {
	}

	static long next(String run) {
		long seed = Long.getLong("whizbang.chaos.seed", ThreadLocalRandom.current().nextLong(1L << 32));
		logger.info("{}: repeat with -Dwhizbang.chaos.seed={}", run, seed);
		return seed;
	}

}

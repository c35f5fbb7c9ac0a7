package io.whizbang.message;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * UUID version 7: 48 bits of milliseconds, the rest random. Its time part only keeps
 * indexes local; nothing in Whizbang orders by it.
 */
public final class TimeOrderedUuid {

	private static final SecureRandom SEEDS = new SecureRandom();

	/**
	 * Nobody need guess an identifier, and all threads would wait for one secure source.
	 */
	private static final ThreadLocal<SplittableRandom> RANDOM = ThreadLocal
		.withInitial(() -> new SplittableRandom(SEEDS.nextLong()));

	private TimeOrderedUuid() {
	}

	/**
	 * Returns a new identifier.
	 * @return the identifier
	 */
	public static UUID next() {
		SplittableRandom random = RANDOM.get();
		long time = System.currentTimeMillis();
		long mostSignificant = (time << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
		long leastSignificant = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
		return new UUID(mostSignificant, leastSignificant);
	}

}

package io.whizbang.message;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * UUID version 7: 48 bits of milliseconds, the rest random. Its time part only keeps
 * indexes local; nothing in Whizbang orders by it.
 */
public final class TimeOrderedUuid {

	private static final SecureRandom RANDOM = new SecureRandom();

	private TimeOrderedUuid() {
	}

	/**
	 * Returns a new identifier.
	 * @return the identifier
	 */
	public static UUID next() {
		long time = System.currentTimeMillis();
		long mostSignificant = (time << 16) | 0x7000L | (RANDOM.nextLong() & 0x0FFFL);
		long leastSignificant = (RANDOM.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
		return new UUID(mostSignificant, leastSignificant);
	}

}

package io.whizbang.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The UUID behind a name: the name itself when it is one, else its hash (version 8), the
 * same in every release.
 */
final class NamedUuid {

	private NamedUuid() {
	}

	static UUID of(String name) {
		return isUuid(name) ? UUID.fromString(name) : hash(name);
	}

	private static boolean isUuid(String name) {
		if (name.length() != 36) {
			return false;
		}
		for (int i = 0; i < 36; i++) {
			char c = name.charAt(i);
			boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
			if (dash ? c != '-' : Character.digit(c, 16) < 0) {
				return false;
			}
		}
		return true;
	}

	private static UUID hash(String name) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
			ByteBuffer bytes = ByteBuffer.wrap(digest);
			long mostSignificant = (bytes.getLong() & ~0xF000L) | 0x8000L;
			long leastSignificant = (bytes.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
			return new UUID(mostSignificant, leastSignificant);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java runtime has SHA-256", ex);
		}
	}

}

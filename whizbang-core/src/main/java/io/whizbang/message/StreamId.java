package io.whizbang.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

import org.springframework.util.Assert;

/**
 * Ordering key of messages: those with the same stream are delivered in commit order. A
 * key that is not a UUID is hashed to one, always to the same.
 *
 * @param value the UUID that the database orders by
 * @param key the key as the application wrote it
 */
public record StreamId(UUID value, String key) {

	public static StreamId of(UUID value) {
		return new StreamId(value, value.toString());
	}

	public static StreamId of(String key) {
		Assert.hasText(key, "A stream key must not be blank; leave it out for messages that need no order");
		return new StreamId(isUuid(key) ? UUID.fromString(key) : hash(key), key);
	}

	/**
	 * Returns a stable, non-negative number whose remainder by the partition count is the
	 * stream's partition. It must never change between releases.
	 * @param id the stream or, for a message without one, its own identifier
	 * @return the number
	 */
	public static int partitionHash(UUID id) {
		long mixed = id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 31);
		mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
		return (int) (mixed >>> 33);
	}

	private static boolean isUuid(String key) {
		if (key.length() != 36) {
			return false;
		}
		for (int i = 0; i < 36; i++) {
			char c = key.charAt(i);
			boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
			if (dash ? c != '-' : Character.digit(c, 16) < 0) {
				return false;
			}
		}
		return true;
	}

	private static UUID hash(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
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

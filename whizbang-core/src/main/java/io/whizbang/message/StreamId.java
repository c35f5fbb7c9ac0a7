package io.whizbang.message;

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
		return new StreamId(NamedUuid.of(key), key);
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

}

package io.whizbang.message;

import java.util.UUID;

/**
 * Identity of one message.
 *
 * @param value the UUID behind it
 */
public record MessageId(UUID value) {

	/**
	 * Returns a new time-ordered identifier (UUID version 7).
	 * @return the identifier
	 */
	public static MessageId next() {
		return new MessageId(TimeOrderedUuid.next());
	}

	public static MessageId of(UUID value) {
		return new MessageId(value);
	}

	@Override
	public String toString() {
		return this.value.toString();
	}

}

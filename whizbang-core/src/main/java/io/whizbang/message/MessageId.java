package io.whizbang.message;

import java.util.UUID;

import org.springframework.util.Assert;

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

	/**
	 * Returns the identifier of a message that was named elsewhere. A text that is not a
	 * UUID is hashed to one, always to the same.
	 * @param text any text
	 * @return the identifier
	 */
	public static MessageId of(String text) {
		Assert.hasText(text, "The identity of a message must not be blank");
		return new MessageId(NamedUuid.of(text));
	}

	@Override
	public String toString() {
		return this.value.toString();
	}

}

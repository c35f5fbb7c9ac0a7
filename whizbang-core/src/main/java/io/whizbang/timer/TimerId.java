package io.whizbang.timer;

import java.util.UUID;

import io.whizbang.message.MessageId;

import org.springframework.util.Assert;

/**
 * Identity of one timer, and of the message that it becomes.
 *
 * @param value the UUID behind it
 */
public record TimerId(UUID value) {

	static TimerId next() {
		return new TimerId(MessageId.next().value());
	}

	public static TimerId of(UUID value) {
		return new TimerId(value);
	}

	/**
	 * Reads an identity that was written as text.
	 * @param text a UUID
	 * @return the identity
	 */
	public static TimerId of(String text) {
		Assert.hasText(text, "The identity of a timer must not be blank");
		try {
			return new TimerId(UUID.fromString(text));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The identity of a timer must be a UUID but is \"%s\"".formatted(text),
					ex);
		}
	}

	/**
	 * Returns the identity that the timer's message has when it fires.
	 * @return the identity
	 */
	public MessageId messageId() {
		return MessageId.of(this.value);
	}

	@Override
	public String toString() {
		return this.value.toString();
	}

}

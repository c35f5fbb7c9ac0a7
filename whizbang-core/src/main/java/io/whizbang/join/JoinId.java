package io.whizbang.join;

import java.util.Map;
import java.util.UUID;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;

import org.springframework.util.Assert;

/**
 * Identity of one join, and of the message that follows when it is closed.
 *
 * @param value the UUID behind it
 */
public record JoinId(UUID value) {

	static JoinId next() {
		return new JoinId(MessageId.next().value());
	}

	public static JoinId of(UUID value) {
		return new JoinId(value);
	}

	/**
	 * Reads an identity that was written as text.
	 * @param text a UUID
	 * @return the identity
	 */
	public static JoinId of(String text) {
		Assert.hasText(text, "The identity of a join must not be blank");
		try {
			return new JoinId(UUID.fromString(text));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The identity of a join must be a UUID but is \"%s\"".formatted(text),
					ex);
		}
	}

	/**
	 * Returns what makes a message a member that reports itself, under its own identity.
	 * It also has to be attached.
	 * @return headers for the message
	 */
	public Map<String, String> headers() {
		return Map.of(HeaderNames.JOIN, toString());
	}

	/**
	 * Returns what makes a message a member that reports itself, under a name. It also
	 * has to be attached.
	 * @param member the name it is attached by
	 * @return headers for the message, the timer, or the candidate of a fan-out
	 */
	public Map<String, String> headers(String member) {
		JoinLimits.checkMember(member);
		return Map.of(HeaderNames.JOIN, toString(), HeaderNames.JOIN_MEMBER, member);
	}

	@Override
	public String toString() {
		return this.value.toString();
	}

}

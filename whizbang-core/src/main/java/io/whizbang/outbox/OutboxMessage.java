package io.whizbang.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.whizbang.message.MessageBuilder;
import io.whizbang.message.MessageId;
import io.whizbang.message.MessageLimits;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A message on its way into the outbox.
 *
 * @param id identity
 * @param topic where it goes
 * @param type name of the payload's type
 * @param payload what it says; anything that Jackson can write
 * @param stream what it is ordered by, or {@code null} when order does not matter
 * @param headers what travels beside the payload
 * @param delay how long it waits after the commit's insert, or {@code null}
 * @param notBefore when it may be delivered at the earliest, or {@code null}
 */
public record OutboxMessage(MessageId id, String topic, String type, Object payload, @Nullable StreamId stream,
		Map<String, String> headers, @Nullable Duration delay, @Nullable Instant notBefore) {

	private static final Duration MAX_DELAY = Duration.ofDays(100 * 366);

	private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

	public OutboxMessage {
		Assert.notNull(payload, () -> "The payload of a message to topic \"%s\" must not be null".formatted(topic));
		MessageLimits.checkName("topic", topic);
		MessageLimits.checkType(type);
		MessageLimits.checkStream(stream);
		headers = Map.copyOf(headers);
		MessageLimits.checkHeaders(topic, headers);
		Assert.isTrue(delay == null || notBefore == null,
				() -> "A message to topic \"%s\" has both a delay and a not-before time; give one of them"
					.formatted(topic));
		Assert.isTrue(delay == null || (!delay.isNegative() && delay.compareTo(MAX_DELAY) <= 0),
				() -> "The delay %s of a message to topic \"%s\" must be between 0 and 100 years".formatted(delay,
						topic));
		Assert.isTrue(notBefore == null || (notBefore.isAfter(Instant.EPOCH) && notBefore.isBefore(LATEST)),
				() -> "The not-before time %s of a message to topic \"%s\" must be between 1970 and 9999"
					.formatted(notBefore, topic));
	}

	/**
	 * Starts to build a message.
	 * @param topic where it goes
	 * @param payload what it says
	 * @return the builder
	 */
	public static Builder to(String topic, Object payload) {
		return new Builder(topic, payload);
	}

	/**
	 * Builds a message step by step.
	 */
	public static final class Builder extends MessageBuilder<Builder> {

		private @Nullable MessageId id;

		private @Nullable Duration delay;

		private @Nullable Instant notBefore;

		private Builder(String topic, Object payload) {
			super(topic, payload);
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Sets the message's identity; without it the message gets a new one.
		 * @param id the identity
		 * @return this builder
		 */
		public Builder id(MessageId id) {
			this.id = id;
			return this;
		}

		/**
		 * Lets the message wait, by the database's clock.
		 * @param delay how long
		 * @return this builder
		 */
		public Builder delay(Duration delay) {
			this.delay = delay;
			return this;
		}

		/**
		 * Lets the message wait until a time, by the database's clock.
		 * @param notBefore the time
		 * @return this builder
		 */
		public Builder notBefore(Instant notBefore) {
			this.notBefore = notBefore;
			return this;
		}

		public OutboxMessage build() {
			MessageId id = (this.id != null) ? this.id : MessageId.next();
			return new OutboxMessage(id, topic(), type(), payload(), stream(), headers(), this.delay, this.notBefore);
		}

	}

}

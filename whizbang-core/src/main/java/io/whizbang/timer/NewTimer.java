package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.whizbang.message.MessageBuilder;
import io.whizbang.message.MessageLimits;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A timer that is about to be scheduled.
 *
 * @param topic where its message goes when it fires
 * @param type name of the payload's type
 * @param payload what the message says; anything that Jackson can write
 * @param key the name under which the timer is known while it is pending, or {@code null}
 * @param keepExisting whether a pending timer with the same key is kept instead of
 * replaced
 * @param stream what the message is ordered by, or {@code null} when order does not
 * matter
 * @param headers what travels beside the payload
 * @param delay how long until it fires, or {@code null}
 * @param due when it fires, or {@code null}
 */
public record NewTimer(String topic, String type, Object payload, @Nullable String key, boolean keepExisting,
		@Nullable StreamId stream, Map<String, String> headers, @Nullable Duration delay, @Nullable Instant due) {

	public NewTimer {
		Assert.notNull(payload, () -> "The payload of a timer to topic \"%s\" must not be null".formatted(topic));
		MessageLimits.checkName("topic", topic);
		MessageLimits.checkType(type);
		MessageLimits.checkStream(stream);
		if (key != null) {
			TimerLimits.checkKey(key);
		}
		Assert.isTrue(key != null || !keepExisting,
				() -> "A timer to topic \"%s\" that keeps an existing one must have a key".formatted(topic));
		headers = Map.copyOf(headers);
		MessageLimits.checkHeaders(topic, headers);
		Assert.isTrue((delay == null) != (due == null),
				() -> "A timer to topic \"%s\" must have either a delay or a due time".formatted(topic));
		if (delay != null) {
			TimerLimits.checkDelay(delay);
		}
		if (due != null) {
			TimerLimits.checkDue(due);
		}
	}

	/**
	 * Starts to build a timer.
	 * @param topic where its message goes
	 * @param payload what it says
	 * @return the builder
	 */
	public static Builder to(String topic, Object payload) {
		return new Builder(topic, payload);
	}

	/**
	 * Builds a timer step by step.
	 */
	public static final class Builder extends MessageBuilder<Builder> {

		private @Nullable String key;

		private boolean keepExisting;

		private @Nullable Duration delay;

		private @Nullable Instant due;

		private Builder(String topic, Object payload) {
			super(topic, payload);
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Sets the name under which the timer is known while it is pending. A pending
		 * timer with the same key is replaced.
		 * @param key at most 200 characters
		 * @return this builder
		 */
		public Builder key(String key) {
			this.key = key;
			return this;
		}

		/**
		 * Keeps a pending timer with the same key as it is.
		 * @return this builder
		 */
		public Builder keepExisting() {
			this.keepExisting = true;
			return this;
		}

		/**
		 * Sets how long it takes until the timer fires, from now and by the database's
		 * clock.
		 * @param delay how long
		 * @return this builder
		 */
		public Builder after(Duration delay) {
			this.delay = delay;
			return this;
		}

		/**
		 * Sets when the timer fires, by the database's clock; at once when that has
		 * passed.
		 * @param due the time
		 * @return this builder
		 */
		public Builder at(Instant due) {
			this.due = due;
			return this;
		}

		public NewTimer build() {
			return new NewTimer(topic(), type(), payload(), this.key, this.keepExisting, stream(), headers(),
					this.delay, this.due);
		}

	}

}

package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.HeaderNames;
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
	public static final class Builder {

		private final String topic;

		private final Object payload;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private @Nullable String type;

		private @Nullable String key;

		private boolean keepExisting;

		private @Nullable StreamId stream;

		private @Nullable Duration delay;

		private @Nullable Instant due;

		private Builder(String topic, Object payload) {
			this.topic = topic;
			this.payload = payload;
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
		 * Sets the name of the payload's type; without it that is the name of its class.
		 * @param type the name
		 * @return this builder
		 */
		public Builder type(String type) {
			this.type = type;
			return this;
		}

		/**
		 * Sets what the message is ordered by: it joins its stream, at the end, when it
		 * fires.
		 * @param key any text
		 * @return this builder
		 */
		public Builder stream(String key) {
			this.stream = StreamId.of(key);
			return this;
		}

		/**
		 * Sets what the message is ordered by.
		 * @param key the key
		 * @return this builder
		 */
		public Builder stream(UUID key) {
			this.stream = StreamId.of(key);
			return this;
		}

		public Builder header(String name, String value) {
			this.headers.put(name, value);
			return this;
		}

		public Builder headers(Map<String, String> headers) {
			this.headers.putAll(headers);
			return this;
		}

		/**
		 * Sets what ties the message to others; without it that is taken from the message
		 * that is being handled.
		 * @param correlationId any text
		 * @return this builder
		 */
		public Builder correlationId(String correlationId) {
			return header(HeaderNames.CORRELATION_ID, correlationId);
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
			return new NewTimer(this.topic, type(), this.payload, this.key, this.keepExisting, this.stream,
					this.headers, this.delay, this.due);
		}

		private String type() {
			if (this.type != null) {
				return this.type;
			}
			// The record refuses a missing payload with a better message than a failure
			// here.
			return (this.payload != null) ? this.payload.getClass().getName() : "none";
		}

	}

}

package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.MessageLimits;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A message on its way into a work queue.
 *
 * @param id identity
 * @param queue name of the queue
 * @param type name of the payload's type
 * @param payload what it says; anything that Jackson can write
 * @param key what it is locked and ordered by, or {@code null} when it stands alone
 * @param headers what travels beside the payload
 * @param delay how long it waits from the commit's insert on, or {@code null}
 * @param notBefore when it may be taken at the earliest, or {@code null}
 */
public record QueueMessage(MessageId id, String queue, String type, Object payload, @Nullable StreamId key,
		Map<String, String> headers, @Nullable Duration delay, @Nullable Instant notBefore) {

	public QueueMessage {
		QueueLimits.checkQueue(queue);
		Assert.notNull(payload, () -> "The payload of a message to the queue \"%s\" must not be null".formatted(queue));
		MessageLimits.checkType(type);
		if (key != null) {
			MessageLimits.checkKey("routing key", key.key());
		}
		headers = Map.copyOf(headers);
		MessageLimits.checkHeaders(queue, headers);
		Assert.isTrue(delay == null || notBefore == null,
				() -> "A message to the queue \"%s\" has both a delay and a not-before time; give one of them"
					.formatted(queue));
		QueueLimits.checkDelay(queue, delay);
		QueueLimits.checkTime(queue, notBefore);
	}

	/**
	 * Starts to build a message.
	 * @param queue name of the queue
	 * @param payload what it says
	 * @return the builder
	 */
	public static Builder to(String queue, Object payload) {
		return new Builder(queue, payload);
	}

	/**
	 * Builds a message step by step.
	 */
	public static final class Builder {

		private final String queue;

		private final Object payload;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private @Nullable MessageId id;

		private @Nullable String type;

		private @Nullable StreamId key;

		private @Nullable Duration delay;

		private @Nullable Instant notBefore;

		private Builder(String queue, Object payload) {
			this.queue = queue;
			this.payload = payload;
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
		 * Sets the name of the payload's type; without it that is the name of its class.
		 * @param type the name
		 * @return this builder
		 */
		public Builder type(String type) {
			this.type = type;
			return this;
		}

		/**
		 * Sets what the message is locked and ordered by. Of two spellings of a UUID,
		 * both are the same key.
		 * @param key any text
		 * @return this builder
		 */
		public Builder key(String key) {
			Assert.hasText(key, "A routing key must not be blank; leave it out for messages that stand alone");
			this.key = StreamId.of(key);
			return this;
		}

		public Builder header(String name, String value) {
			this.headers.put(name, value);
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
		 * Lets the message wait, by the database's clock. It joins its key, at the end,
		 * when its time has come, and holds up no other.
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

		public QueueMessage build() {
			MessageId id = (this.id != null) ? this.id : MessageId.next();
			return new QueueMessage(id, this.queue, type(), this.payload, this.key, this.headers, this.delay,
					this.notBefore);
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

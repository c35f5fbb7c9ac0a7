package io.whizbang.inbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.MessageLimits;
import io.whizbang.message.PayloadException;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A message that arrives from elsewhere.
 *
 * @param source where it came from, such as {@code kafka:orders}; a message is known by
 * its source and its identity there
 * @param id its identity at the source, any text
 * @param topic what it is about
 * @param type name of the payload's type, or {@code null} when the sender did not tell
 * @param stream what it is ordered by, or {@code null} when order does not matter
 * @param headers what travels beside the payload
 * @param payload the payload as JSON
 */
public record IncomingMessage(String source, String id, String topic, @Nullable String type, @Nullable StreamId stream,
		Map<String, String> headers, String payload) {

	public IncomingMessage {
		MessageLimits.checkName("source", source);
		MessageLimits.checkKey("id", id);
		MessageLimits.checkName("topic", topic);
		if (type != null) {
			MessageLimits.checkType(type);
		}
		MessageLimits.checkStream(stream);
		headers = Map.copyOf(headers);
		MessageLimits.checkHeaders(topic, headers);
		Assert.notNull(payload, () -> "The payload of message %s from %s must not be null".formatted(id, source));
		Assert.isTrue(payload.indexOf('\0') < 0,
				() -> "The payload of message %s from %s contains the character U+0000, which is not JSON".formatted(id,
						source));
	}

	/**
	 * Starts to build a message.
	 * @param source where it came from
	 * @param id its identity there
	 * @return the builder
	 */
	public static Builder from(String source, String id) {
		return new Builder(source, id);
	}

	/**
	 * Returns the identity by which the application knows the message.
	 * @return the identity
	 */
	public MessageId messageId() {
		return MessageId.of(this.id);
	}

	/**
	 * Refuses the message when it is too large.
	 * @param limit how many characters its payload may have
	 * @throws PayloadException when it has more
	 */
	void requireSize(long limit) {
		MessageLimits.checkPayload(this.id, this.source, this.payload, limit);
	}

	/**
	 * Builds a message step by step.
	 */
	public static final class Builder {

		private final String source;

		private final String id;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private @Nullable String topic;

		private @Nullable String type;

		private @Nullable StreamId stream;

		private @Nullable String payload;

		private Builder(String source, String id) {
			this.source = source;
			this.id = id;
		}

		/**
		 * Sets what the message is about.
		 * @param topic the topic
		 * @return this builder
		 */
		public Builder topic(String topic) {
			this.topic = topic;
			return this;
		}

		/**
		 * Sets the name of the payload's type; without it the topic decides who handles
		 * the message.
		 * @param type the name, or {@code null}
		 * @return this builder
		 */
		public Builder type(@Nullable String type) {
			this.type = type;
			return this;
		}

		/**
		 * Sets what the message is ordered by.
		 * @param key any text, or {@code null} when order does not matter
		 * @return this builder
		 */
		public Builder stream(@Nullable String key) {
			this.stream = (key != null) ? StreamId.of(key) : null;
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
		 * Sets what ties the message to others.
		 * @param correlationId any text
		 * @return this builder
		 */
		public Builder correlationId(String correlationId) {
			return header(HeaderNames.CORRELATION_ID, correlationId);
		}

		/**
		 * Sets what the message says.
		 * @param json the payload as JSON
		 * @return this builder
		 */
		public Builder payload(String json) {
			this.payload = json;
			return this;
		}

		public IncomingMessage build() {
			Assert.state(this.topic != null, () -> "Message %s from %s has no topic".formatted(this.id, this.source));
			Assert.state(this.payload != null,
					() -> "Message %s from %s has no payload".formatted(this.id, this.source));
			return new IncomingMessage(this.source, this.id, this.topic, this.type, this.stream, this.headers,
					this.payload);
		}

	}

}

package io.whizbang.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What is built step by step and becomes a message, now or later.
 *
 * @param <B> the builder
 */
public abstract class MessageBuilder<B extends MessageBuilder<B>> {

	private final String topic;

	private final Object payload;

	private final Map<String, String> headers = new LinkedHashMap<>();

	private @Nullable String type;

	private @Nullable StreamId stream;

	protected MessageBuilder(String topic, Object payload) {
		this.topic = topic;
		this.payload = payload;
	}

	/**
	 * Returns this builder.
	 * @return itself
	 */
	protected abstract B self();

	/**
	 * Sets the name of the payload's type; without it that is the name of its class.
	 * @param type the name
	 * @return this builder
	 */
	public B type(String type) {
		this.type = type;
		return self();
	}

	/**
	 * Sets what the message is ordered by. That of a timer joins its stream, at the end,
	 * when it fires.
	 * @param key any text
	 * @return this builder
	 */
	public B stream(String key) {
		this.stream = StreamId.of(key);
		return self();
	}

	/**
	 * Sets what the message is ordered by.
	 * @param key the key
	 * @return this builder
	 */
	public B stream(UUID key) {
		this.stream = StreamId.of(key);
		return self();
	}

	public B header(String name, String value) {
		this.headers.put(name, value);
		return self();
	}

	public B headers(Map<String, String> headers) {
		this.headers.putAll(headers);
		return self();
	}

	/**
	 * Sets what ties the message to others; without it that is taken from the message
	 * that is being handled.
	 * @param correlationId any text
	 * @return this builder
	 */
	public B correlationId(String correlationId) {
		return header(HeaderNames.CORRELATION_ID, correlationId);
	}

	protected String topic() {
		return this.topic;
	}

	protected Object payload() {
		return this.payload;
	}

	protected Map<String, String> headers() {
		return this.headers;
	}

	protected @Nullable StreamId stream() {
		return this.stream;
	}

	protected String type() {
		if (this.type != null) {
			return this.type;
		}
		// Whoever is built refuses a missing payload with a better message than a failure
		// here.
		return (this.payload != null) ? this.payload.getClass().getName() : "none";
	}

}

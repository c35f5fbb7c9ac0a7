package io.whizbang.outbox;

import java.lang.reflect.Type;

import io.whizbang.message.Envelope;

/**
 * A topic handler made of a function.
 *
 * @param <T> what the payload is read as
 */
record FunctionTopicHandler<T>(String topic, Class<T> type, Function<T> function) implements TopicHandler<T> {

	@Override
	public Type payloadType() {
		return this.type;
	}

	@Override
	public void handle(T payload, Envelope envelope) throws Exception {
		this.function.handle(payload, envelope);
	}

}

package io.whizbang.timer;

import java.lang.reflect.Type;
import java.util.function.Supplier;

import io.whizbang.handler.HandlerMethod;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A topic handler made of an {@link OnTimer} method.
 */
final class MethodTimerHandler implements TopicHandler<@Nullable Object> {

	private final String topic;

	private final OnTimer annotation;

	private final HandlerMethod method;

	private final Supplier<Object> bean;

	MethodTimerHandler(String topic, OnTimer annotation, HandlerMethod method, Supplier<Object> bean) {
		this.topic = topic;
		this.annotation = annotation;
		this.method = method;
		this.bean = bean;
	}

	@Override
	public String topic() {
		return this.topic;
	}

	@Override
	public Type payloadType() {
		return this.method.readAs();
	}

	@Override
	public void handle(@Nullable Object payload, Envelope envelope) throws Exception {
		this.method.invoke(this.bean.get(), payload, envelope);
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		return configured.adjusted(this.annotation.maxAttempts(), this.annotation.neverRetry());
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}

package io.whizbang.outbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A topic handler made of an annotated method.
 */
final class MethodTopicHandler implements TopicHandler<@Nullable Object> {

	private final String topic;

	private final OutboxHandler annotation;

	private final HandlerMethod method;

	private final Supplier<Object> bean;

	MethodTopicHandler(String topic, OutboxHandler annotation, HandlerMethod method, Supplier<Object> bean) {
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
		return (this.method.payloadType() != null) ? this.method.payloadType() : Void.class;
	}

	@Override
	public void handle(@Nullable Object payload, Envelope envelope) throws Exception {
		try {
			this.method.invocable().invoke(this.bean.get(), this.method.arguments(payload, envelope));
		}
		catch (InvocationTargetException ex) {
			if (ex.getTargetException() instanceof Error error) {
				throw error;
			}
			throw (ex.getTargetException() instanceof Exception failure) ? failure : ex;
		}
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		if (this.annotation.maxAttempts() <= 0 && this.annotation.neverRetry().length == 0) {
			return configured;
		}
		Set<Class<? extends Throwable>> neverRetry = new HashSet<>(configured.neverRetry());
		neverRetry.addAll(List.of(this.annotation.neverRetry()));
		RetryPolicy policy = configured.withNeverRetry(neverRetry);
		return (this.annotation.maxAttempts() > 0) ? policy.withMaxAttempts(this.annotation.maxAttempts()) : policy;
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}

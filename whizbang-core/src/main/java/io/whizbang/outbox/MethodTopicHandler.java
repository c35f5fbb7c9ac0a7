package io.whizbang.outbox;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;

import io.whizbang.handler.HandlerMethods;
import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A topic handler made of an annotated method. For Whizbang's own features; applications
 * annotate their methods.
 */
public final class MethodTopicHandler implements TopicHandler<@Nullable Object> {

	private final String topic;

	private final HandlerMethods.Found<?> found;

	private final UnaryOperator<RetryPolicy> retry;

	/**
	 * Creates a handler.
	 * @param topic what it handles
	 * @param found the method
	 * @param retry what its annotation says about retries
	 */
	public MethodTopicHandler(String topic, HandlerMethods.Found<?> found, UnaryOperator<RetryPolicy> retry) {
		this.topic = topic;
		this.found = found;
		this.retry = retry;
	}

	@Override
	public String topic() {
		return this.topic;
	}

	@Override
	public Type payloadType() {
		return this.found.method().readAs();
	}

	@Override
	public void handle(@Nullable Object payload, Envelope envelope) throws Exception {
		this.found.method().invoke(this.found.bean().get(), payload, envelope);
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		return this.retry.apply(configured);
	}

	@Override
	public String toString() {
		return this.found.method().toString();
	}

}

package io.whizbang.outbox;

import java.lang.reflect.Type;

import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;

/**
 * Takes the messages of one topic inside of the application. Runs outside of any
 * transaction, at least once for each message.
 *
 * @param <T> what the payload is read as
 */
public interface TopicHandler<T extends @Nullable Object> {

	/**
	 * Returns the topic.
	 * @return the topic
	 */
	String topic();

	/**
	 * Handles a message; an exception makes it try again later.
	 * @param payload what the message says
	 * @param envelope the message
	 * @throws Exception when it failed
	 */
	void handle(T payload, Envelope envelope) throws Exception;

	/**
	 * Returns what the payload is read as, by default the type argument of the handler's
	 * class.
	 * @return the type; {@code Void.class} when the payload need not be read
	 */
	default Type payloadType() {
		ResolvableType type = ResolvableType.forClass(AopUtils.getTargetClass(this))
			.as(TopicHandler.class)
			.getGeneric(0);
		Assert.state(type.resolve() != null,
				() -> "The payload type of the handler %s for topic \"%s\" cannot be told; override payloadType()"
					.formatted(this, topic()));
		return type.getType();
	}

	/**
	 * Returns when a failed message is tried again.
	 * @param configured what is configured for the topic
	 * @return the policy
	 */
	default RetryPolicy retryPolicy(RetryPolicy configured) {
		return configured;
	}

	/**
	 * Returns a handler made of a function.
	 * @param <T> what the payload is read as
	 * @param topic the topic
	 * @param payloadType what the payload is read as
	 * @param function the function
	 * @return the handler
	 */
	static <T> TopicHandler<T> of(String topic, Class<T> payloadType, Function<T> function) {
		return new FunctionTopicHandler<>(topic, payloadType, function);
	}

	/**
	 * Handles a message.
	 *
	 * @param <T> what the payload is read as
	 */
	@FunctionalInterface
	interface Function<T extends @Nullable Object> {

		void handle(T payload, Envelope envelope) throws Exception;

	}

}

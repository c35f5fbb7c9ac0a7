package io.whizbang.inbox;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Set;

import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;

/**
 * Handles messages of the inbox, as a method with {@link MessageHandler} does.
 *
 * @param <T> what the payload is read as
 */
public interface Receptor<T extends @Nullable Object> {

	/**
	 * Handles a message; an exception undoes what it did to the database, and makes it
	 * try again later.
	 * @param payload what the message says
	 * @param envelope the message
	 * @throws Exception when it failed
	 */
	void handle(T payload, Envelope envelope) throws Exception;

	/**
	 * Returns the name under which it is remembered that a message was handled here.
	 * @return the name, unique and the same in every release, or {@code null} for the
	 * name of the bean
	 */
	default @Nullable String name() {
		return null;
	}

	/**
	 * Returns what the payload is read as, by default the type argument of the receptor's
	 * class.
	 * @return the type; {@code Void.class} when the payload need not be read
	 */
	default Type payloadType() {
		ResolvableType type = ResolvableType.forClass(AopUtils.getTargetClass(this)).as(Receptor.class).getGeneric(0);
		Assert.state(type.resolve() != null,
				() -> "The payload type of the receptor %s cannot be told; override payloadType()".formatted(this));
		return type.getType();
	}

	/**
	 * Returns the types of messages that it takes.
	 * @return the types; none for the class of the payload, by full or simple name
	 */
	default Set<String> types() {
		return Set.of();
	}

	/**
	 * Returns the topics whose messages it takes.
	 * @return topics, or patterns with {@code *}; none for all topics
	 */
	default Set<String> topics() {
		return Set.of();
	}

	/**
	 * Says whether it runs in a transaction that also completes the message.
	 * @return {@code false} for a receptor that calls the outside
	 */
	default boolean transactional() {
		return true;
	}

	/**
	 * Returns how long it may take before it is interrupted.
	 * @return the time, or {@code null} for that of the worker
	 */
	default @Nullable Duration timeout() {
		return null;
	}

	/**
	 * Returns when a failed message is tried again.
	 * @param configured what is configured for the topic
	 * @return the policy
	 */
	default RetryPolicy retryPolicy(RetryPolicy configured) {
		return configured;
	}

}

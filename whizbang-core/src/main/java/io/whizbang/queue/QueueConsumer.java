package io.whizbang.queue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks the method of a bean that takes the messages of a work queue. A method with a
 * {@code List} or a {@link QueueBatch} gets all messages of a key at once; the list may
 * be one of payloads, of {@link QueuedMessage}s or of envelopes. Any other gets them one
 * by one, in order, with parameters for the payload, the
 * {@link io.whizbang.message.Envelope Envelope}, the {@link io.whizbang.message.MessageId
 * MessageId} and the headers as {@code Map<String, String>}. It returns nothing.
 * <p>
 * It is called at least once for each message, never for two messages of a key at the
 * same time; when it throws, the message is tried again later, and its key waits.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface QueueConsumer {

	/** Name of the queue; placeholders as in {@code ${pictures.queue}} are resolved. */
	String queue();

	/**
	 * How many keys, or messages without one, an instance has under way at once; 0 leaves
	 * that to the configuration. Placeholders are resolved.
	 */
	String concurrency() default "0";

	/**
	 * Whether what the method writes and the end of its messages commit together, in a
	 * transaction that it runs in: then it takes effect exactly once.
	 */
	boolean transactional() default false;

	/** How many messages of a key come at once; 0 leaves that to the configuration. */
	int batchSize() default 0;

	/** How often a message may fail; 0 leaves that to the configuration. */
	int maxAttempts() default 0;

	/** Failures after which nothing is tried again, besides those that are configured. */
	Class<? extends Throwable>[] neverRetry() default {};

}

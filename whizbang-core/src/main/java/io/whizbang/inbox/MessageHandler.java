package io.whizbang.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Marks the method of a bean that handles messages of the inbox. It may have, in any
 * order, parameters for the payload, the {@link io.whizbang.message.Envelope Envelope},
 * the {@link io.whizbang.message.MessageId MessageId}, and the headers as
 * {@code Map<String, String>}; it returns nothing.
 * <p>
 * It gets messages whose type is the class of its payload, by full or simple name, unless
 * it names other types. Messages without a type go to all methods that name their topic.
 * <p>
 * It runs in a transaction that also completes the message and stores what it enqueues:
 * what it does to this database takes effect exactly once. When it throws, all of that is
 * undone, and the message is tried again later.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface MessageHandler {

	/**
	 * The types of messages; placeholders as in {@code ${orders.type}} are resolved. None
	 * means the class of the payload, by full or simple name.
	 */
	@AliasFor("type")
	String[] value() default {};

	/**
	 * The types of messages; placeholders as in {@code ${orders.type}} are resolved. None
	 * means the class of the payload, by full or simple name.
	 */
	@AliasFor("value")
	String[] type() default {};

	/**
	 * The topics, or patterns with {@code *}; placeholders are resolved. None means all.
	 */
	String[] topic() default {};

	/**
	 * The name under which it is remembered that a message was handled here, so that a
	 * retry for another handler does not run this one again. None means bean and method,
	 * as in {@code billing.on}; give a name that survives renaming these.
	 */
	String name() default "";

	/**
	 * Whether it runs in a transaction. Switch that off for handlers that call the
	 * outside: these run at least once, and hold no connection meanwhile.
	 */
	boolean transactional() default true;

	/**
	 * How long it may take before it is interrupted, such as {@code 5s}; placeholders are
	 * resolved. None leaves that to the configuration of the worker.
	 */
	String timeout() default "";

	/** How often a message may fail here; 0 leaves that to the configuration. */
	int maxAttempts() default 0;

	/** Failures after which nothing is tried again, besides those that are configured. */
	Class<? extends Throwable>[] neverRetry() default {};

}

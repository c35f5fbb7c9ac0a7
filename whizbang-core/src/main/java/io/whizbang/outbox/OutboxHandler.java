package io.whizbang.outbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Marks the method of a bean that takes the messages of topics. It may have, in any
 * order, parameters for the payload, the {@link io.whizbang.message.Envelope Envelope},
 * the {@link io.whizbang.message.MessageId MessageId}, and the headers as
 * {@code Map<String, String>}; it returns nothing.
 * <p>
 * It runs outside of any transaction, at least once for each message; when it throws, the
 * message is tried again later.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface OutboxHandler {

	/** The topics; placeholders as in {@code ${orders.topic}} are resolved. */
	@AliasFor("topic")
	String[] value() default {};

	/** The topics; placeholders as in {@code ${orders.topic}} are resolved. */
	@AliasFor("value")
	String[] topic() default {};

	/** How often a message may fail; 0 leaves that to the configuration. */
	int maxAttempts() default 0;

	/** Failures after which nothing is tried again, besides those that are configured. */
	Class<? extends Throwable>[] neverRetry() default {};

}

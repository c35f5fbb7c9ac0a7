package io.whizbang.fanout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks the method of a bean that handles the slices of a fan-out. It may have, in any
 * order, parameters for the {@link FanoutSlice}, the {@link io.whizbang.message.Envelope
 * Envelope}, the {@link io.whizbang.message.MessageId MessageId}, and the headers as
 * {@code Map<String, String>}; it returns nothing.
 * <p>
 * It runs in a transaction, in which the cursor moves as well: what it does in this
 * database is done once for each window. When it throws, all of that is undone, and it is
 * tried again later.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface FanoutHandler {

	/** The fan-out; placeholders as in {@code ${statements.topic}} are resolved. */
	String topic();

	/** The kinds of work; placeholders are resolved. */
	String[] workKey();

	/**
	 * Whether it runs in a transaction. Without one, for work that calls the outside, it
	 * runs at least once for each window, and the cursor moves afterwards.
	 */
	boolean transactional() default true;

	/** How often a call may fail; 0 leaves that to the configuration of the outbox. */
	int maxAttempts() default 0;

	/** Failures after which nothing is tried again, besides those that are configured. */
	Class<? extends Throwable>[] neverRetry() default {};

}

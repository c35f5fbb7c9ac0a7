package io.whizbang.perspective;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Marks a method of a {@link Perspective @Perspective} that applies events. It may have,
 * in any order, parameters for the payload, the {@link io.whizbang.event.StoredEvent
 * StoredEvent}, its {@link io.whizbang.event.EventMetadata EventMetadata}, its
 * {@link io.whizbang.message.StreamId StreamId} and the {@link PerspectiveRun}; in an
 * {@link EntityPerspective} also the entity, which it may return.
 * <p>
 * It gets the events whose class is that of its payload, or extends or implements it,
 * unless it names types. Each event goes to one method of a perspective: one that names
 * the event's stored name wins, then the one with the class nearest to the event's own,
 * then the one with the pattern that has the most letters. Two that are equally good for
 * an event are refused when the application starts.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface On {

	/**
	 * The types of events, the same as {@link #types()}.
	 * @return the types
	 */
	@AliasFor("types")
	String[] value() default {};

	/**
	 * The types of events: names that events are stored under, names of classes with or
	 * without their package, or patterns with {@code *} for either. Placeholders as in
	 * {@code ${shop.types}} are resolved. None means the class of the payload.
	 * @return the types
	 */
	@AliasFor("value")
	String[] types() default {};

}

package io.whizbang.perspective;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.stereotype.Component;

/**
 * Marks a bean that keeps a read model up to date: its {@link On @On} methods get the
 * events, each exactly once and those of a stream in order. What they write to the
 * database commits together with the note of how far the model has come.
 * <p>
 * Whoever implements {@link EntityPerspective} keeps entities and writes no SQL; whoever
 * wants to see several events at once implements {@link PerspectiveHandler} instead.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Component
public @interface Perspective {

	/**
	 * The name, under which progress is kept; placeholders as in {@code ${shop.orders}}
	 * are resolved. It never changes: under another name all events would be applied
	 * again.
	 * @return the name
	 */
	String name();

	/**
	 * The version of the code. A higher one than the one that serves builds its model
	 * anew, beside it, and then takes its place.
	 * @return the version, from 1
	 */
	int version() default 1;

	/**
	 * Whether the model is one over all streams: its events then come one after the
	 * other, on one instance.
	 * @return whether it is
	 */
	boolean global() default false;

	/**
	 * Into how many parts the streams are divided, which is how many instances can take
	 * part. Counts for new runs only, and not for a global perspective.
	 * @return the number
	 */
	int shards() default 16;

	/**
	 * How many parts one instance works on at once.
	 * @return the number
	 */
	int concurrency() default 1;

}

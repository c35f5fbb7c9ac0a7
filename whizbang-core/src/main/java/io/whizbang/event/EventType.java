package io.whizbang.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives events of a class a name of their own, so that the class can be renamed and moved
 * while its events stay readable.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EventType {

	/**
	 * The name under which events are stored. It never changes.
	 * @return the name
	 */
	String value();

	/**
	 * The version of what the class looks like, raised when older events no longer fit;
	 * an {@link Upcaster} for each version before turns those into the next.
	 * @return the version, from 1
	 */
	int version() default 1;

}

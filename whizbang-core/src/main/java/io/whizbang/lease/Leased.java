package io.whizbang.lease;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Lets a method of a bean run only with a lease: on one instance at a time. When somebody
 * else has the lease the call is skipped, and returns {@code null} or an empty
 * {@code Optional}. The lease is acquired before a transaction of the method begins, and
 * released after it has ended.
 * <p>
 * When the lease is lost while the method runs, its thread is interrupted, and the caller
 * gets a {@link LeaseLostException}. {@link CurrentLease} is the lease.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface Leased {

	/**
	 * Name of the lease. It may have placeholders ({@code ${...}}), and expressions over
	 * the arguments of the method, as in {@code report-#{#region}}.
	 * @return the name
	 */
	String value();

	/**
	 * How long the lease lasts when the instance dies, as {@code PT5M} or {@code 5m}; may
	 * be a placeholder. While the method runs the lease is renewed, for as long as it
	 * takes. If blank, {@code whizbang.leases.duration}.
	 * @return the duration
	 */
	String atMost() default "";

	/**
	 * How long nobody gets the lease again after it was acquired, even when the method
	 * returns earlier, as {@code PT30S} or {@code 30s}; may be a placeholder. It keeps a
	 * method that takes no time from running once per instance when their clocks differ.
	 * @return the duration
	 */
	String atLeast() default "PT0S";

	/**
	 * Whether the lease is renewed while the method runs. If not, it is lost after
	 * {@link #atMost()}.
	 * @return whether it is renewed
	 */
	boolean renew() default true;

}

package io.whizbang.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a bean that is the handler of a job, and defines that job. The method may
 * take a {@link JobRun}, and one more parameter for the payload that a run was triggered
 * with; otherwise that is {@code null}. Texts may have placeholders.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerReflectiveProcessor.class)
public @interface WhizbangJob {

	/**
	 * Name of the job; by default those of class and method, as in
	 * {@code Reports.nightly}.
	 * @return the name
	 */
	String name() default "";

	/**
	 * When it fires: five fields, six fields with the second first, or a macro such as
	 * {@code @daily}; {@code -} when it runs only when triggered.
	 * @return the expression
	 */
	String cron() default "";

	/**
	 * How often it fires, instead of a cron expression, as in {@code 10m} or
	 * {@code PT10M}.
	 * @return the interval
	 */
	String every() default "";

	/**
	 * Time zone of the cron expression.
	 * @return its name
	 */
	String zone() default "UTC";

	/**
	 * What becomes of missed times.
	 * @return the policy
	 */
	Misfire misfire() default Misfire.COALESCE;

	/**
	 * How many missed times are made up for at most, with {@link Misfire#CATCH_UP}.
	 * @return the number
	 */
	int catchUpMax() default 1;

	/**
	 * Whether a run may begin before the one before it is over.
	 * @return whether it may
	 */
	boolean overlap() default false;

	/**
	 * How often a run may fail; 0 for what is configured.
	 * @return the number
	 */
	int maxAttempts() default 0;

	/**
	 * Whether the job fires.
	 * @return {@code true}, {@code false}, or a placeholder for one of them
	 */
	String enabled() default "true";

}

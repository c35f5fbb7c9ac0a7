package io.whizbang.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * Keeps the workers of an application under test from starting, and gives the test a
 * {@link ManualWorker} for the outbox and a {@link DatabaseClock} instead, to be
 * autowired. For tests as {@code @SpringBootTest}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(ManualWorkerConfiguration.class)
public @interface WithManualWorker {

}

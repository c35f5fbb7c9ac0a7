package io.whizbang.perspective;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a {@link Perspective @Perspective} that creates what a new run of the
 * model needs, such as its {@link PerspectiveRun#table tables}, so that it can be built
 * beside the one that serves. It takes the {@link PerspectiveRun}.
 * <p>
 * A perspective without such a method can be rebuilt in place only, because nothing says
 * that two runs of it write into different tables.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface OnPrepare {

}

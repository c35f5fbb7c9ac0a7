package io.whizbang.perspective;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.whizbang.handler.HandlerReflectiveProcessor;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a {@link Perspective @Perspective} that empties the model before it
 * is rebuilt in place. One that takes a {@link io.whizbang.message.StreamId StreamId}
 * removes what this stream has brought into the model, before the stream is replayed.
 * Both may take the {@link PerspectiveRun}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reflective(HandlerReflectiveProcessor.class)
public @interface OnReset {

}

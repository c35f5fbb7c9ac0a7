package io.whizbang.handler;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Type;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * Takes annotated methods along into native images, and what their payloads are read as.
 */
public final class HandlerReflectiveProcessor implements ReflectiveProcessor {

	private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

	@Override
	public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
		if (element instanceof Method method) {
			hints.registerMethod(method, ExecutableMode.INVOKE);
			for (Type parameter : method.getGenericParameterTypes()) {
				this.payloads.registerReflectionHints(hints, parameter);
			}
		}
	}

}

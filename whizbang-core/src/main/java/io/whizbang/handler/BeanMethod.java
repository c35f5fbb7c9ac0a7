package io.whizbang.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

/**
 * An annotated method of a bean.
 *
 * @param <A> the annotation
 * @param annotation the annotation
 * @param method what the application wrote
 * @param invocable what is called, perhaps that of a proxy's interface
 * @param beanName name of its bean
 * @param bean its bean
 */
public record BeanMethod<A extends Annotation>(A annotation, Method method, Method invocable, String beanName,
		Supplier<Object> bean) {

	/**
	 * Refuses the method unless it is right.
	 * @param right whether it is
	 * @param rule what it must be
	 * @throws IllegalStateException when it is not
	 */
	public void check(boolean right, String rule) {
		check(this.method, this.annotation.annotationType(), right, rule);
	}

	static void check(Method method, Class<? extends Annotation> annotation, boolean right, String rule) {
		DefinitionException.check(right, () -> "The @%s %s.%s %s".formatted(annotation.getSimpleName(),
				method.getDeclaringClass().getName(), method.getName(), rule));
	}

	/**
	 * Calls the method.
	 * @param arguments its arguments
	 * @return what it returns
	 * @throws Exception what the method throws
	 */
	public @Nullable Object invoke(@Nullable Object... arguments) throws Exception {
		return invoke(this.invocable, this.bean.get(), arguments);
	}

	static @Nullable Object invoke(Method method, Object bean, @Nullable Object... arguments) throws Exception {
		try {
			return method.invoke(bean, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getTargetException() instanceof Error error) {
				throw error;
			}
			throw (ex.getTargetException() instanceof Exception failure) ? failure : ex;
		}
	}

	@Override
	public String toString() {
		return this.method.getDeclaringClass().getName() + "." + this.method.getName();
	}

}

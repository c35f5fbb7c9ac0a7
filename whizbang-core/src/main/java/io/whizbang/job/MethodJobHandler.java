package io.whizbang.job;

import java.lang.reflect.Method;
import java.lang.reflect.Type;

import io.whizbang.handler.BeanMethod;
import org.jspecify.annotations.Nullable;

/**
 * A job handler made of an annotated method.
 */
final class MethodJobHandler implements JobHandler<Object> {

	private final String name;

	private final BeanMethod<WhizbangJob> method;

	private final Type[] parameters;

	private final Type payloadType;

	MethodJobHandler(String name, BeanMethod<WhizbangJob> method) {
		this.name = name;
		this.method = method;
		Method written = method.method();
		method.check(written.getReturnType() == void.class,
				"must return void: nobody would get what it returns, or wait for it");
		this.parameters = written.getGenericParameterTypes();
		Type payload = Void.class;
		for (Type type : this.parameters) {
			if (type != JobRun.class) {
				method.check(payload == Void.class,
						"has more than one parameter that could be the payload; the other one may be JobRun");
				method.check(!(type instanceof Class<?> simple && simple.isPrimitive()),
						"has a primitive payload, but there may be none; take an object");
				payload = type;
			}
		}
		this.payloadType = payload;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Type payloadType() {
		return this.payloadType;
	}

	@Override
	public void run(@Nullable Object payload, JobRun run) throws Exception {
		@Nullable Object[] arguments = new @Nullable Object[this.parameters.length];
		for (int i = 0; i < arguments.length; i++) {
			arguments[i] = (this.parameters[i] == JobRun.class) ? run : payload;
		}
		this.method.invoke(arguments);
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}

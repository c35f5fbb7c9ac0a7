package io.whizbang.perspective;

import java.util.Arrays;
import java.util.List;

import io.whizbang.handler.BeanMethod;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A method that is called when a run begins, ends or is emptied.
 */
final class HookMethod {

	private final BeanMethod<?> method;

	private final List<Class<?>> parameters;

	/**
	 * Looks at a method.
	 * @param method the method
	 * @param mayTakeStream whether there may be a stream for it
	 * @throws IllegalStateException when it cannot be called
	 */
	HookMethod(BeanMethod<?> method, boolean mayTakeStream) {
		this.method = method;
		this.parameters = Arrays.asList(method.method().getParameterTypes());
		method.check(method.method().getReturnType() == void.class,
				"must return void: nobody would get what it returns");
		for (Class<?> parameter : this.parameters) {
			method.check(parameter == PerspectiveRun.class || (mayTakeStream && parameter == StreamId.class),
					"has a parameter of %s; it may take a PerspectiveRun%s".formatted(parameter,
							mayTakeStream ? ", and a StreamId to remove what this stream has brought" : " only"));
		}
	}

	boolean takesStream() {
		return this.parameters.contains(StreamId.class);
	}

	void call(PerspectiveRun run, @Nullable StreamId stream) {
		try {
			this.method.invoke(this.parameters.stream()
				.map((parameter) -> (parameter == StreamId.class) ? stream : run)
				.toArray());
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException("The method %s has failed".formatted(this.method), ex);
		}
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}

package io.whizbang.job;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * A job handler made of a function.
 *
 * @param <T> what the payload is read as
 */
record FunctionJobHandler<T>(String name, Class<?> type, JobHandler.Function<T> function) implements JobHandler<T> {

	@Override
	public Type payloadType() {
		return this.type;
	}

	@Override
	public void run(@Nullable T payload, JobRun run) throws Exception {
		this.function.run(payload, run);
	}

}

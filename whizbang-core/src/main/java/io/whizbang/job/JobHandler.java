package io.whizbang.job;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;

/**
 * Runs jobs. A run is over when it returns; when it throws, or its instance vanishes, it
 * is called again, perhaps elsewhere.
 *
 * @param <T> what the payload is read as
 */
public interface JobHandler<T> {

	/**
	 * Returns the name that jobs know it by.
	 * @return the name
	 */
	String name();

	/**
	 * Does the work of a run. The thread is interrupted when the run is not this
	 * instance's any more.
	 * @param payload what the job says, or {@code null} when it says nothing
	 * @param run the run
	 * @throws Exception when it failed
	 */
	void run(@Nullable T payload, JobRun run) throws Exception;

	/**
	 * Returns what the payload is read as, by default the type argument of the handler's
	 * class.
	 * @return the type; {@code Void.class} when the payload need not be read
	 */
	default Type payloadType() {
		ResolvableType type = ResolvableType.forClass(AopUtils.getTargetClass(this)).as(JobHandler.class).getGeneric(0);
		Assert.state(type.resolve() != null,
				() -> "The payload type of the job handler %s (\"%s\") cannot be told; override payloadType()"
					.formatted(this, name()));
		return type.getType();
	}

	/**
	 * Returns a handler made of a function.
	 * @param <T> what the payload is read as
	 * @param name its name
	 * @param payloadType what the payload is read as
	 * @param function the function
	 * @return the handler
	 */
	static <T> JobHandler<T> of(String name, Class<T> payloadType, Function<T> function) {
		return new FunctionJobHandler<>(name, payloadType, function);
	}

	/**
	 * Does the work of a run.
	 *
	 * @param <T> what the payload is read as
	 */
	@FunctionalInterface
	interface Function<T> {

		void run(@Nullable T payload, JobRun run) throws Exception;

	}

}

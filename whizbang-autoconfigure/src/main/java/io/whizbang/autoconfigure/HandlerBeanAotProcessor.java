package io.whizbang.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;

import io.whizbang.inbox.Receptor;
import io.whizbang.job.JobHandler;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveRun;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Takes along into native images what handlers that are beans, and not methods with an
 * annotation, read payloads as, and how they are called.
 */
final class HandlerBeanAotProcessor implements BeanRegistrationAotProcessor {

	private static final Class<?>[] HANDLERS = { TopicHandler.class, Receptor.class, JobHandler.class };

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		for (Class<?> handler : HANDLERS) {
			ResolvableType payload = bean.getBeanType().as(handler).getGeneric(0);
			if (payload.resolve() != null) {
				return (context, code) -> new BindingReflectionHintsRegistrar()
					.registerReflectionHints(context.getRuntimeHints().reflection(), payload.getType());
			}
		}
		return appliesTogether(bean.getBeanClass());
	}

	/**
	 * Whoever calls a perspective looks at whether it takes many events at once.
	 */
	private static @Nullable BeanRegistrationAotContribution appliesTogether(Class<?> type) {
		Method method = PerspectiveHandler.class.isAssignableFrom(type)
				? ClassUtils.getMethodIfAvailable(type, "applyAll", List.class, PerspectiveRun.class) : null;
		if (method == null) {
			return null;
		}
		return (context, code) -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE);
	}

}

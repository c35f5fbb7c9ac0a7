package io.whizbang.autoconfigure;

import io.whizbang.inbox.Receptor;
import io.whizbang.job.JobHandler;
import io.whizbang.outbox.TopicHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;

/**
 * Takes along into native images what handlers that are beans, and not methods with an
 * annotation, read payloads as.
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
		return null;
	}

}

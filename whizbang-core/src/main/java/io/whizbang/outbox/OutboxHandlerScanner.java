package io.whizbang.outbox;

import java.lang.reflect.Method;
import java.util.Map;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.Assert;

import org.jspecify.annotations.Nullable;

/**
 * Finds the topic handlers among the beans, once all singletons exist.
 */
public final class OutboxHandlerScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final TopicHandlers handlers;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param handlers where to add what is found
	 */
	public OutboxHandlerScanner(ConfigurableListableBeanFactory beanFactory, TopicHandlers handlers) {
		this.beanFactory = beanFactory;
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (TopicHandler<?> handler : this.beanFactory.getBeansOfType(TopicHandler.class).values()) {
			this.handlers.add(handler);
		}
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class)) {
			Class<?> type = ScopedProxyUtils.isScopedTarget(beanName) ? null : type(beanName);
			if (type != null && AnnotationUtils.isCandidateClass(type, OutboxHandler.class)) {
				scan(beanName, type);
			}
		}
		this.handlers.complete();
	}

	private @Nullable Class<?> type(String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		// Behind a scoped proxy stands another bean, which has the methods.
		String target = ScopedProxyUtils.getTargetBeanName(beanName);
		if (this.beanFactory.containsBean(target)) {
			Class<?> targetType = AutoProxyUtils.determineTargetClass(this.beanFactory, target);
			return (targetType != null) ? targetType : type;
		}
		return type;
	}

	private void scan(String beanName, Class<?> type) {
		Map<Method, OutboxHandler> methods = MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<@Nullable OutboxHandler>) (method) -> AnnotatedElementUtils
					.findMergedAnnotation(method, OutboxHandler.class));
		methods.forEach((method, annotation) -> add(beanName, method, annotation));
	}

	private void add(String beanName, Method method, OutboxHandler annotation) {
		HandlerMethod handlerMethod = HandlerMethod.of(method);
		Class<?> beanType = this.beanFactory.getType(beanName);
		Method invocable = (beanType != null) ? AopUtils.selectInvocableMethod(method, beanType) : method;
		Assert.state(annotation.topic().length > 0,
				() -> "The @OutboxHandler %s names no topic".formatted(handlerMethod));
		for (String topic : annotation.topic()) {
			this.handlers.add(new MethodTopicHandler(resolve(topic, handlerMethod), annotation,
					handlerMethod.through(invocable), () -> this.beanFactory.getBean(beanName)));
		}
	}

	private String resolve(String topic, HandlerMethod method) {
		String resolved = this.beanFactory.resolveEmbeddedValue(topic);
		if (resolved == null || resolved.isBlank()) {
			throw new IllegalStateException(
					"The topic \"%s\" of the @OutboxHandler %s is blank".formatted(topic, method));
		}
		return resolved;
	}

}

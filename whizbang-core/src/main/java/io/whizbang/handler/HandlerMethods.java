package io.whizbang.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds annotated methods among the beans.
 *
 * @param <A> the annotation
 */
public final class HandlerMethods<A extends Annotation> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Class<A> annotation;

	/**
	 * Creates a finder.
	 * @param beanFactory where to look
	 * @param annotation what the methods are annotated with
	 */
	public HandlerMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
	}

	/**
	 * Finds all methods; to be called once all singletons exist.
	 * @return the methods
	 */
	public List<Found<A>> find() {
		List<Found<A>> found = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class)) {
			Class<?> type = ScopedProxyUtils.isScopedTarget(beanName) ? null : type(beanName);
			if (type != null && AnnotationUtils.isCandidateClass(type, this.annotation)) {
				scan(beanName, type, found);
			}
		}
		return found;
	}

	/**
	 * Resolves placeholders.
	 * @param what what the text is, for the message when it is blank
	 * @param text the text
	 * @param method the method whose annotation has it
	 * @return the resolved text
	 */
	public String resolve(String what, String text, HandlerMethod method) {
		String resolved = this.beanFactory.resolveEmbeddedValue(text);
		if (resolved == null || resolved.isBlank()) {
			throw new IllegalStateException("The %s \"%s\" of the @%s %s is blank".formatted(what, text,
					this.annotation.getSimpleName(), method));
		}
		return resolved;
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

	private void scan(String beanName, Class<?> type, List<Found<A>> found) {
		Map<Method, A> methods = MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<@Nullable A>) (method) -> AnnotatedElementUtils
					.findMergedAnnotation(method, this.annotation));
		methods.forEach((method, annotation) -> found.add(found(beanName, method, annotation)));
	}

	private Found<A> found(String beanName, Method method, A annotation) {
		HandlerMethod handlerMethod = HandlerMethod.of(method, this.annotation);
		Class<?> beanType = this.beanFactory.getType(beanName);
		Method invocable = (beanType != null) ? AopUtils.selectInvocableMethod(method, beanType) : method;
		return new Found<>(annotation, handlerMethod.through(invocable), beanName,
				() -> this.beanFactory.getBean(beanName));
	}

	/**
	 * An annotated method of a bean.
	 *
	 * @param <A> the annotation
	 * @param annotation the annotation
	 * @param method the method
	 * @param beanName name of its bean
	 * @param bean its bean
	 */
	public record Found<A extends Annotation>(A annotation, HandlerMethod method, String beanName,
			Supplier<Object> bean) {
	}

}

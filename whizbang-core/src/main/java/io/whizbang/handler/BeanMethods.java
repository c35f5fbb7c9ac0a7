package io.whizbang.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds annotated methods among the beans, behind whatever proxies these have.
 */
public final class BeanMethods {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a finder.
	 * @param beanFactory where to look
	 */
	public BeanMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns what the beans are, without their proxies; to be called once all singletons
	 * exist.
	 * @return classes by the name of the bean
	 */
	public Map<String, Class<?>> beans() {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class)) {
			Class<?> type = ScopedProxyUtils.isScopedTarget(beanName) ? null : type(beanName);
			if (type != null) {
				types.put(beanName, type);
			}
		}
		return types;
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

	/**
	 * Finds the annotated methods of a bean.
	 * @param <A> the annotation
	 * @param beanName name of the bean
	 * @param type what it is, as {@link #beans()} says
	 * @param annotation the annotation
	 * @return the methods
	 * @throws IllegalStateException when one of them cannot be called
	 */
	public <A extends Annotation> List<BeanMethod<A>> find(String beanName, Class<?> type, Class<A> annotation) {
		List<BeanMethod<A>> found = new ArrayList<>();
		if (AnnotationUtils.isCandidateClass(type, annotation)) {
			Map<Method, A> methods = MethodIntrospector.selectMethods(type,
					(MethodIntrospector.MetadataLookup<@Nullable A>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, annotation));
			methods.forEach((method, itsAnnotation) -> found.add(found(beanName, method, itsAnnotation)));
		}
		return found;
	}

	private <A extends Annotation> BeanMethod<A> found(String beanName, Method method, A annotation) {
		int modifiers = method.getModifiers();
		BeanMethod.check(method, annotation.annotationType(), !Modifier.isPrivate(modifiers), "must not be private");
		BeanMethod.check(method, annotation.annotationType(), !Modifier.isStatic(modifiers), "must not be static");
		Class<?> beanType = this.beanFactory.getType(beanName);
		Method invocable = (beanType != null) ? AopUtils.selectInvocableMethod(method, beanType) : method;
		ReflectionUtils.makeAccessible(invocable);
		return new BeanMethod<>(annotation, method, invocable, beanName, () -> this.beanFactory.getBean(beanName));
	}

	/**
	 * Resolves placeholders.
	 * @param what what the text is and whose, for the message when it is blank
	 * @param text the text
	 * @return the resolved text
	 * @throws DefinitionException when it is blank or a placeholder has no value
	 */
	public String resolve(String what, String text) {
		String resolved = replacePlaceholders(what, text);
		if (resolved == null || resolved.isBlank()) {
			throw new DefinitionException("The %s is blank".formatted(what));
		}
		return resolved;
	}

	private @Nullable String replacePlaceholders(String what, String text) {
		try {
			return this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new DefinitionException(
					"The %s has no value: %s. Set the property, or give it a default, as in ${name:default}"
						.formatted(what, ex.getMessage()),
					ex);
		}
	}

}

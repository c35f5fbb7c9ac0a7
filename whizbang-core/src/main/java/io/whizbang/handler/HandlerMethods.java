package io.whizbang.handler;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.whizbang.message.Envelope;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds annotated methods among the beans.
 *
 * @param <A> the annotation
 */
public final class HandlerMethods<A extends Annotation> {

	private final BeanMethods methods;

	private final Class<A> annotation;

	private final Map<Class<?>, Function<Envelope, Object>> further;

	/**
	 * Creates a finder.
	 * @param beanFactory where to look
	 * @param annotation what the methods are annotated with
	 */
	public HandlerMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation) {
		this(beanFactory, annotation, Map.of());
	}

	/**
	 * Creates a finder of methods that may have parameters of further types.
	 * @param beanFactory where to look
	 * @param annotation what the methods are annotated with
	 * @param further makes arguments of these types from the envelope
	 */
	public HandlerMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation,
			Map<Class<?>, Function<Envelope, Object>> further) {
		this.methods = new BeanMethods(beanFactory);
		this.annotation = annotation;
		this.further = Map.copyOf(further);
	}

	/**
	 * Finds all methods; to be called once all singletons exist.
	 * @return the methods
	 */
	public List<Found<A>> find() {
		List<Found<A>> found = new ArrayList<>();
		this.methods.beans()
			.forEach((beanName, type) -> this.methods.find(beanName, type, this.annotation)
				.forEach((method) -> found.add(found(method))));
		return found;
	}

	private Found<A> found(BeanMethod<A> method) {
		return new Found<>(method.annotation(), HandlerMethod.of(method, this.further), method.beanName(),
				method.bean());
	}

	/**
	 * Resolves placeholders.
	 * @param what what the text is, for the message when it is blank
	 * @param text the text
	 * @param method the method whose annotation has it
	 * @return the resolved text
	 */
	public String resolve(String what, String text, HandlerMethod method) {
		return this.methods
			.resolve("%s \"%s\" of the @%s %s".formatted(what, text, this.annotation.getSimpleName(), method), text);
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

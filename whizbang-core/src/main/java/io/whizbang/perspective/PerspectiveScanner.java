package io.whizbang.perspective;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.whizbang.event.EventTypes;
import io.whizbang.handler.BeanMethod;
import io.whizbang.handler.BeanMethods;
import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds the perspectives among the beans, once all singletons exist.
 */
public final class PerspectiveScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final BeanMethods methods;

	private final EventTypes types;

	private final PerspectiveHandlers handlers;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param types the event types of the application
	 * @param handlers where to add what is found
	 */
	public PerspectiveScanner(ConfigurableListableBeanFactory beanFactory, EventTypes types,
			PerspectiveHandlers handlers) {
		this.beanFactory = beanFactory;
		this.methods = new BeanMethods(beanFactory);
		this.types = types;
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, PerspectiveHandler> beans = this.beanFactory.getBeansOfType(PerspectiveHandler.class);
		beans.values().forEach(this.handlers::add);
		this.methods.beans().forEach((beanName, type) -> {
			Perspective annotation = AnnotatedElementUtils.findMergedAnnotation(type, Perspective.class);
			if (annotation == null) {
				refuseStrays(beanName, type);
			}
			else {
				DefinitionException.check(!beans.containsKey(beanName),
						() -> "The bean \"%s\" is a PerspectiveHandler and has @Perspective; remove one of the two"
							.formatted(beanName));
				this.handlers.add(perspective(beanName, type, annotation));
			}
		});
	}

	private MethodPerspective perspective(String beanName, Class<?> type, Perspective annotation) {
		String name = this.methods.resolve(
				"name \"%s\" of the @Perspective %s".formatted(annotation.name(), type.getName()), annotation.name());
		EntityModel<?, ?> entities = EntityPerspective.class.isAssignableFrom(type)
				? EntityModel.of(type, () -> (EntityPerspective<?, ?>) this.beanFactory.getBean(beanName)) : null;
		List<OnMethod> found = new ArrayList<>();
		for (BeanMethod<On> method : this.methods.find(beanName, type, On.class)) {
			found.add(new OnMethod(method, types(method), type, (entities != null) ? entities.type() : null));
		}
		DefinitionException.check(!found.isEmpty(),
				() -> "The @Perspective %s has no method with @On, so no event would reach it; write one that takes an event"
					.formatted(type.getName()));
		MethodPerspective perspective = new MethodPerspective(name, annotation, type, new OnMethods(found),
				HookMethods.find(this.methods, beanName, type), entities);
		perspective.check(this.types);
		return perspective;
	}

	private List<TypeName> types(BeanMethod<On> method) {
		return Arrays.stream(method.annotation().types())
			.map((text) -> new TypeName(
					this.methods.resolve("type \"%s\" of the @On %s".formatted(text, method), text)))
			.toList();
	}

	/** Methods that nobody would call look as if somebody did. */
	private void refuseStrays(String beanName, Class<?> type) {
		DefinitionException.check(!EntityPerspective.class.isAssignableFrom(type),
				() -> "The EntityPerspective %s has no name; annotate it as in @Perspective(name = \"orders\")"
					.formatted(type.getName()));
		List<Class<? extends Annotation>> annotations = new ArrayList<>(HookMethods.ANNOTATIONS);
		annotations.add(On.class);
		for (Class<? extends Annotation> annotation : annotations) {
			@Nullable BeanMethod<?> stray = this.methods.find(beanName, type, annotation).stream().findFirst().orElse(null);
			if (stray != null) {
				stray.check(false, "is not in a perspective, so nobody would call it; annotate its class as in "
						+ "@Perspective(name = \"orders\")");
			}
		}
	}

}

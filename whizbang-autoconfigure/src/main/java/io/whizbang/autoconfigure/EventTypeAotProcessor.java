package io.whizbang.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues.ValueHolder;
import org.springframework.util.ClassUtils;

/**
 * Takes the event types of the application along into native images. They are no beans,
 * so nobody else would.
 */
final class EventTypeAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<String> names = names(beanFactory);
		if (names.isEmpty()) {
			return null;
		}
		return (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			names.forEach((name) -> new BindingReflectionHintsRegistrar().registerReflectionHints(hints,
					ClassUtils.resolveClassName(name, beanFactory.getBeanClassLoader())));
		};
	}

	private static List<String> names(ConfigurableListableBeanFactory beanFactory) {
		if (!beanFactory.containsBeanDefinition(EventTypeRegistrar.BEAN_NAME)) {
			return List.of();
		}
		ValueHolder names = beanFactory.getBeanDefinition(EventTypeRegistrar.BEAN_NAME)
			.getConstructorArgumentValues()
			.getIndexedArgumentValue(0, String[].class);
		return (names != null && names.getValue() instanceof String[] found) ? List.of(found) : List.of();
	}

}

package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.event.EventType;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;

/**
 * Looks for event types in the packages of the application, as Spring Boot does for
 * entities.
 */
final class EventTypeRegistrar implements ImportBeanDefinitionRegistrar {

	static final String BEAN_NAME = "whizbangScannedEventTypes";

	private final BeanFactory beanFactory;

	private final Environment environment;

	private final ResourceLoader resourceLoader;

	EventTypeRegistrar(BeanFactory beanFactory, Environment environment, ResourceLoader resourceLoader) {
		this.beanFactory = beanFactory;
		this.environment = environment;
		this.resourceLoader = resourceLoader;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		RootBeanDefinition definition = new RootBeanDefinition(ScannedEventTypes.class);
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, find());
		registry.registerBeanDefinition(BEAN_NAME, definition);
	}

	private String[] find() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false,
				this.environment);
		scanner.setResourceLoader(this.resourceLoader);
		scanner.addIncludeFilter(new AnnotationTypeFilter(EventType.class, false));
		List<String> packages = AutoConfigurationPackages.has(this.beanFactory)
				? AutoConfigurationPackages.get(this.beanFactory) : List.of();
		return packages.stream()
			.flatMap((name) -> scanner.findCandidateComponents(name).stream())
			.map(BeanDefinition::getBeanClassName)
			.distinct()
			.sorted()
			.toArray(String[]::new);
	}

}

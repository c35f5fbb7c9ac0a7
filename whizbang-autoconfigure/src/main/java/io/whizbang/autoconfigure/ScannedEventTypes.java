package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.util.ClassUtils;

/**
 * Classes with the annotation {@code @EventType} in the packages of the application. They
 * are looked for when bean definitions are made, which for native images is at build
 * time.
 */
final class ScannedEventTypes implements BeanClassLoaderAware {

	private final String[] names;

	private @Nullable ClassLoader classLoader;

	ScannedEventTypes(String[] names) {
		this.names = names.clone();
	}

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	List<Class<?>> classes() {
		List<Class<?>> classes = new ArrayList<>(this.names.length);
		for (String name : this.names) {
			classes.add(ClassUtils.resolveClassName(name, this.classLoader));
		}
		return classes;
	}

}

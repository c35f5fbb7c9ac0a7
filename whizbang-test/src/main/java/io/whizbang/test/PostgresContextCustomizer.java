package io.whizbang.test;

import java.util.HashMap;
import java.util.Map;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives an application context a database of its own, dropped when the context is closed.
 * Tests that share a context share the database.
 */
final class PostgresContextCustomizer implements ContextCustomizer {

	private static final String BEAN = "postgresDatabase";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		PostgresDatabase database = ContextDatabases.create(configuration.getTestClass().getSimpleName());
		DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
		beans.registerSingleton(BEAN, database);
		// Registered before all others and so destroyed after them.
		beans.registerDisposableBean(BEAN, () -> ContextDatabases.close(database));
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource(BEAN, properties(database)));
	}

	private static Map<String, Object> properties(PostgresDatabase database) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.datasource.url", database.jdbcUrl());
		properties.put("spring.datasource.username", database.server().username());
		String password = database.server().password();
		properties.put("spring.datasource.password", (password != null) ? password : "");
		return properties;
	}

	/** All are alike, so that Spring may use one context for many test classes. */
	@Override
	public boolean equals(Object other) {
		return other instanceof PostgresContextCustomizer;
	}

	@Override
	public int hashCode() {
		return PostgresContextCustomizer.class.hashCode();
	}

}

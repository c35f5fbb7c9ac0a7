package io.whizbang.test;

import javax.sql.DataSource;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.Assert;

/**
 * Creates the database of a test class when a parameter first asks for it. Nested classes
 * use the database of the outermost one.
 */
final class PostgresExtension implements ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		if (hasApplicationContext(context)) {
			return false;
		}
		Class<?> type = parameter.getParameter().getType();
		return type == PostgresDatabase.class || type == PostgresServer.class || type == DataSource.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		PostgresDatabase database = database(context);
		Class<?> type = parameter.getParameter().getType();
		if (type == DataSource.class) {
			return database.dataSource();
		}
		return (type == PostgresServer.class) ? database.server() : database;
	}

	private static PostgresDatabase database(ExtensionContext context) {
		ExtensionContext owner = outermostClass(context);
		Class<?> testClass = owner.getRequiredTestClass();
		PostgresDatabase database = owner.getStore(NAMESPACE)
			.computeIfAbsent(testClass, (type) -> SharedPostgresServer.createDatabase(type.getSimpleName()),
					PostgresDatabase.class);
		Assert.state(database != null, () -> "No database for " + testClass);
		return database;
	}

	private static boolean hasApplicationContext(ExtensionContext context) {
		// By name: the application may have no spring-test.
		return MergedAnnotations.from(context.getRequiredTestClass(), SearchStrategy.TYPE_HIERARCHY)
			.isPresent("org.springframework.test.context.BootstrapWith");
	}

	private static ExtensionContext outermostClass(ExtensionContext context) {
		ExtensionContext current = context;
		while (current.getParent().filter((parent) -> parent.getTestClass().isPresent()).isPresent()) {
			current = current.getParent().orElseThrow();
		}
		return current;
	}

}

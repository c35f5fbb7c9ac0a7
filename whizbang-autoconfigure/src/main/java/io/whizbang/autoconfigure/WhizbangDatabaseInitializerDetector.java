package io.whizbang.autoconfigure;

import java.util.Set;

import io.whizbang.schema.SchemaInstaller;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/**
 * Lets everything that waits for the database wait for Whizbang's schema too.
 */
final class WhizbangDatabaseInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {

	/**
	 * After Flyway and Liquibase, whose scripts may create our schema and must not find
	 * it filled; before plain SQL scripts, which may enqueue.
	 */
	private static final int ORDER = 100;

	@Override
	protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
		return Set.of(SchemaInstaller.class);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}

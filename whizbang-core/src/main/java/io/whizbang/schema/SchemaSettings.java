package io.whizbang.schema;

import java.time.Duration;
import java.util.regex.Pattern;

import org.springframework.util.Assert;

/**
 * Where the database objects live and how they get there.
 *
 * @param name the schema's name, a plain lower-case identifier
 * @param mode what happens at the start
 * @param lockTimeout how long to wait for another instance that is migrating
 */
public record SchemaSettings(String name, SchemaMode mode, Duration lockTimeout) {

	private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

	public SchemaSettings {
		Assert.isTrue(NAME.matcher(name).matches(),
				() -> "A schema name must be a plain lower-case identifier (a-z, 0-9, _; at most 63 characters) but is '"
						+ name + "'");
		Assert.isTrue(!name.startsWith("pg_"),
				() -> "A schema name must not start with 'pg_', PostgreSQL keeps these for itself, but is '" + name
						+ "'");
		Assert.isTrue(lockTimeout.toMillis() > 0,
				() -> "The lock timeout of the schema must be at least a millisecond but is " + lockTimeout);
	}

	public static SchemaSettings defaults() {
		return of("whizbang", SchemaMode.MIGRATE);
	}

	public static SchemaSettings of(String name, SchemaMode mode) {
		return new SchemaSettings(name, mode, Duration.ofMinutes(5));
	}

}

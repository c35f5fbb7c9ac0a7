package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the database objects.
 *
 * @param name Name of the database schema that holds all objects of Whizbang. Must be a
 * plain lower-case identifier.
 * @param mode What happens to the database objects when the application starts.
 * @param lockTimeout Time to wait for another instance that is migrating the schema.
 */
@ConfigurationProperties("whizbang.schema")
public record SchemaProperties(@DefaultValue("whizbang") String name, @DefaultValue("migrate") SchemaMode mode,
		@DefaultValue("5m") Duration lockTimeout) {

	public SchemaProperties {
		Requirement.positive("whizbang.schema.lock-timeout", lockTimeout);
		try {
			new SchemaSettings(name, mode, lockTimeout);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("whizbang.schema.name: " + ex.getMessage());
		}
	}

}

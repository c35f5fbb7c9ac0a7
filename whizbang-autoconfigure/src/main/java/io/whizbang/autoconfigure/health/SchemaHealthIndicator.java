package io.whizbang.autoconfigure.health;

import java.util.Optional;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaVersion;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether the database answers, and which version of the schema it has.
 */
final class SchemaHealthIndicator extends AbstractHealthIndicator {

	private final SchemaInstaller installer;

	private final String schema;

	SchemaHealthIndicator(SchemaInstaller installer, String schema) {
		super("Whizbang's schema could not be read");
		this.installer = installer;
		this.schema = schema;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("schema", this.schema);
		Optional<SchemaVersion> installed = this.installer.installed();
		if (installed.isEmpty()) {
			builder.down().withDetail("reason", "nothing is installed");
			return;
		}
		SchemaVersion version = installed.get();
		builder.up()
			.withDetail("version", version.number())
			.withDetail("release", version.release())
			.withDetail("installedAt", version.installedAt().toString());
	}

}

package io.whizbang.schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.springframework.util.Assert;

/**
 * The SQL for administrators who install the objects by hand. After it has run, the
 * application starts with {@link SchemaMode#VALIDATE} or {@link SchemaMode#MIGRATE} and
 * finds nothing to do.
 */
public final class SchemaScript {

	private static final Pattern ROLE = Pattern.compile("[a-z_][a-z0-9_$]{0,62}");

	private final String schema;

	private final Changelog changelog;

	/**
	 * Creates the script for a schema.
	 * @param schema the schema's name, a plain lower-case identifier
	 */
	public SchemaScript(String schema) {
		this.schema = SchemaSettings.of(schema, SchemaMode.MIGRATE).name();
		this.changelog = Changelog.read();
	}

	/**
	 * Returns the SQL that installs everything into a database that has nothing yet.
	 * @return the SQL
	 */
	public String install() {
		ByteArrayOutputStream changes = new ByteArrayOutputStream();
		try {
			new ChangelogRun(this.changelog, this.schema).script(changes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write the SQL of schema '" + this.schema + "'", ex);
		}
		return """
				create schema if not exists %1$s;

				%2$s
				insert into %1$s.wh_schema_version (fingerprint, release) values ('%3$s', '%4$s');
				""".formatted(this.schema, changes.toString(StandardCharsets.UTF_8), this.changelog.fingerprint(),
				Changelog.release());
	}

	/**
	 * Returns the SQL that lets a role work with the objects but not change them.
	 * @param role the role of the application, a plain lower-case identifier
	 * @return the SQL
	 */
	public String grants(String role) {
		Assert.isTrue(ROLE.matcher(role).matches(),
				() -> "A role must be a plain lower-case identifier but is '" + role + "'");
		return """
				grant usage on schema %1$s to %2$s;
				grant select, insert, update, delete on all tables in schema %1$s to %2$s;
				grant usage, select on all sequences in schema %1$s to %2$s;
				grant execute on all functions in schema %1$s to %2$s;
				""".formatted(this.schema, role);
	}

}

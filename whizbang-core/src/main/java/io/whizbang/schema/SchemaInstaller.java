package io.whizbang.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import io.whizbang.schema.SchemaCheck.Standing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, upgrades or checks the database objects. Any number of instances may start at
 * once: one works, the others wait and find nothing to do.
 * <p>
 * Liquibase does the work but is not to be seen: a published bean of its type would
 * switch off the application's own migrations. A release that finds its own changes
 * overlaid by those of a later one leaves them alone, so that old and new instances run
 * together while an upgrade rolls out.
 */
public final class SchemaInstaller {

	private static final Logger logger = LoggerFactory.getLogger(SchemaInstaller.class);

	private final DataSource dataSource;

	private final SchemaSettings settings;

	private final Changelog changelog;

	private final SchemaCheck check;

	public SchemaInstaller(DataSource dataSource, SchemaSettings settings) {
		this(dataSource, settings, Changelog.read());
	}

	SchemaInstaller(DataSource dataSource, SchemaSettings settings, Changelog changelog) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.changelog = changelog;
		this.check = new SchemaCheck(changelog, settings.name());
	}

	/**
	 * Does what the mode says.
	 * @throws SchemaMismatchException when the objects are not those that this release
	 * needs
	 * @throws UnsupportedDatabaseException when the database is no PostgreSQL or too old
	 * @throws ReadOnlyDatabaseException when the database accepts no changes
	 */
	public void install() {
		try {
			switch (this.settings.mode()) {
				case MIGRATE -> migrate();
				case VALIDATE -> validate();
				case NONE -> logger.debug("Schema '{}' is neither migrated nor checked", this.settings.name());
			}
		}
		catch (SQLException ex) {
			throw new SchemaException(
					"Cannot install or check schema '%s': %s".formatted(this.settings.name(), ex.getMessage()), ex);
		}
	}

	/**
	 * Returns what is installed now.
	 * @return the version, or nothing when nothing was ever installed
	 */
	public Optional<SchemaVersion> installed() {
		try (Connection connection = this.dataSource.getConnection()) {
			List<SchemaVersion> versions = new SchemaHistory(connection, this.settings.name()).versions();
			return versions.isEmpty() ? Optional.empty() : Optional.of(versions.get(versions.size() - 1));
		}
		catch (SQLException ex) {
			throw new SchemaException(
					"Cannot read the version of schema '%s': %s".formatted(this.settings.name(), ex.getMessage()), ex);
		}
	}

	@SuppressWarnings("try")
	private void migrate() throws SQLException {
		if (standing() != Standing.DIFFERENT) {
			return;
		}
		try (MigrationLock lock = MigrationLock.acquire(this.dataSource, this.settings);
				Connection connection = this.dataSource.getConnection()) {
			if (this.check.standing(connection) == Standing.DIFFERENT) {
				new SchemaMigration(this.changelog, this.settings.name()).run(connection);
			}
		}
	}

	private void validate() throws SQLException {
		if (standing() == Standing.LATER_RELEASE) {
			return;
		}
		try (Connection connection = this.dataSource.getConnection()) {
			this.check.refuseDifferences(connection);
		}
	}

	/** On a connection that is given back: the pool may have no more than two. */
	private Standing standing() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			DatabaseServer.check(connection);
			Standing standing = this.check.standing(connection);
			if (standing == Standing.LATER_RELEASE) {
				logger.info("Schema '{}' was upgraded by a later release of Whizbang and stays as it is",
						this.settings.name());
			}
			return standing;
		}
	}

}

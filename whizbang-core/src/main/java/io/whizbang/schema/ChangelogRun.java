package io.whizbang.schema;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;

import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.UpdateSummaryEnum;
import liquibase.UpdateSummaryOutputEnum;
import liquibase.analytics.configuration.AnalyticsArgs;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.FastCheckService;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateSqlCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.Database;
import liquibase.database.DatabaseConnection;
import liquibase.database.DatabaseFactory;
import liquibase.database.OfflineConnection;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.ui.LoggerUIService;

/**
 * Lets Liquibase read and run the changelog. Everything that other users of Liquibase in
 * the same process could notice is kept to a scope of its own.
 */
final class ChangelogRun {

	static final String HISTORY_TABLE = "wh_schema_change";

	static final String LOCK_TABLE = "wh_schema_change_lock";

	private final ChangelogResources resources;

	private final String schema;

	ChangelogRun(Changelog changelog, String schema) {
		this.resources = new ChangelogResources(changelog, schema);
		this.schema = schema;
	}

	/**
	 * Runs what has not run yet.
	 * @param connection the connection to use; it stays open
	 */
	void update(Connection connection) {
		inScope(() -> {
			Liquibase liquibase = liquibase(new JdbcConnection(connection));
			// Liquibase remembers per process and URL that all is up to date, whichever
			// schema
			// it was, and even if that schema has been dropped since.
			Scope.getCurrentScope().getSingleton(FastCheckService.class).clearCache();
			liquibase.update(new Contexts(), new LabelExpression());
			return liquibase;
		});
	}

	/**
	 * Reads the changelog without touching the database's content.
	 * @param connection the connection to use; it stays open
	 * @return the changes in order
	 */
	List<ChangeSet> changes(Connection connection) {
		return inScope(() -> liquibase(new JdbcConnection(connection)).getDatabaseChangeLog().getChangeSets());
	}

	/**
	 * Writes the SQL that an empty database needs, the history of the changes included.
	 * @param output where to write it, in UTF-8
	 * @throws IOException when it cannot be written
	 */
	void script(OutputStream output) throws IOException {
		// Without a database Liquibase insists on keeping the history in a file.
		Path folder = Files.createTempDirectory("whizbang-schema");
		Path history = folder.resolve("history.csv");
		try {
			inScope(() -> {
				Database database = liquibase(new OfflineConnection("offline:postgresql?version="
						+ DatabaseServer.OLDEST_MAJOR_VERSION + "&outputLiquibaseSql=all&changeLogFile="
						+ URLEncoder.encode(history.toString(), StandardCharsets.UTF_8), this.resources))
					.getDatabase();
				new CommandScope(UpdateSqlCommandStep.COMMAND_NAME)
					.addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, database)
					.addArgumentValue(UpdateSqlCommandStep.CHANGELOG_FILE_ARG, Changelog.ENTRY)
					.setOutput(output)
					.execute();
				return database;
			});
		}
		finally {
			Files.deleteIfExists(history);
			Files.deleteIfExists(folder);
		}
	}

	private Liquibase liquibase(DatabaseConnection connection) throws LiquibaseException {
		Database database = DatabaseFactory.getInstance().findCorrectDatabaseImplementation(connection);
		database.setLiquibaseSchemaName(this.schema);
		database.setDatabaseChangeLogTableName(HISTORY_TABLE);
		database.setDatabaseChangeLogLockTableName(LOCK_TABLE);
		Liquibase liquibase = new Liquibase(Changelog.ENTRY, this.resources, database);
		liquibase.setShowSummary(UpdateSummaryEnum.OFF);
		liquibase.setShowSummaryOutput(UpdateSummaryOutputEnum.LOG);
		return liquibase;
	}

	private <T> T inScope(Scope.ScopedRunnerWithReturn<T> run) {
		Map<String, Object> values = Map.of(Scope.Attr.ui.name(), new LoggerUIService(), Scope.Attr.logService.name(),
				new ChangelogLog(), Scope.Attr.resourceAccessor.name(), this.resources, AnalyticsArgs.ENABLED.getKey(),
				false);
		try {
			return Scope.child(values, run);
		}
		catch (SchemaException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new SchemaException(
					"Cannot run Whizbang's changelog in schema '%s': %s".formatted(this.schema, ex.getMessage()), ex);
		}
	}

}

package io.whizbang.autoconfigure.diagnostics;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import io.whizbang.schema.SchemaException;
import io.whizbang.schema.SchemaMismatchException;
import io.whizbang.schema.UnsupportedDatabaseException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains every other failure to install or check the database objects.
 */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private static final String NO_SUCH_DATABASE = "3D000";

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
		if (cause instanceof SchemaMismatchException || cause instanceof UnsupportedDatabaseException) {
			return null;
		}
		// Some of the driver's messages are sentences already.
		String description = String.valueOf(cause.getMessage());
		return new FailureAnalysis(description.endsWith(".") ? description : description + ".", action(cause), cause);
	}

	private String action(SchemaException failure) {
		SQLException sql = findCause(failure, SQLException.class);
		String state = (sql != null && sql.getSQLState() != null) ? sql.getSQLState() : "";
		if (String.valueOf(failure.getMessage()).contains("statement pooling")) {
			return "A pooler in statement mode lies between the application and PostgreSQL; transactions do not work "
					+ "there. Use its session or transaction mode, or connect to PostgreSQL directly.";
		}
		if (state.equals(INSUFFICIENT_PRIVILEGE)) {
			return "Give the role of 'spring.datasource.username' the rights it needs: with "
					+ "'whizbang.schema.mode=migrate' it must own the schema or be allowed to create it; with validate "
					+ "or none the grants are enough that SchemaScript.grants(role) writes.";
		}
		if (sql instanceof SQLTransientConnectionException) {
			return "The pool gave no connection in time. Installing the schema takes two at once: let the pool have "
					+ "more ('spring.datasource.hikari.maximum-pool-size'), and check that the database can be reached.";
		}
		if (state.equals(NO_SUCH_DATABASE)) {
			return "Create the database, or correct its name at the end of 'spring.datasource.url'.";
		}
		if (state.startsWith("08") || state.startsWith("28")) {
			return "Check that PostgreSQL runs and can be reached at 'spring.datasource.url', and that "
					+ "'spring.datasource.username' and 'spring.datasource.password' are right.";
		}
		return "Remove the cause named above. If an administrator maintains the schema, set "
				+ "'whizbang.schema.mode' to validate or none.";
	}

}

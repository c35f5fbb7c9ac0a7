package io.whizbang.autoconfigure.diagnostics;

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

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
		if (cause instanceof SchemaMismatchException || cause instanceof UnsupportedDatabaseException) {
			return null;
		}
		return new FailureAnalysis(cause.getMessage() + ".",
				"Remove the cause named above. If an administrator maintains the schema, set "
						+ "'whizbang.schema.mode' to validate or none.",
				cause);
	}

}

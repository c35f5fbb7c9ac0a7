package io.whizbang.autoconfigure.diagnostics;

import io.whizbang.schema.SchemaMismatchException;
import io.whizbang.schema.SchemaMismatchException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that the database objects are missing, too old or too new.
 */
final class SchemaMismatchFailureAnalyzer extends AbstractFailureAnalyzer<SchemaMismatchException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SchemaMismatchException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", action(cause.problem()), cause);
	}

	private static String action(Problem problem) {
		return switch (problem) {
			case MISSING ->
				"Let Whizbang install it with 'whizbang.schema.mode=migrate', or run the SQL of this release as an "
						+ "administrator. If it is installed under another name, set 'whizbang.schema.name'.";
			case TOO_OLD ->
				"Let Whizbang upgrade it with 'whizbang.schema.mode=migrate', or run the missing changes of this "
						+ "release as an administrator.";
			case TOO_NEW -> "Start the release of Whizbang that upgraded the schema, or a later one. "
					+ "Wrong database? Check 'spring.datasource.url' and 'whizbang.schema.name'.";
		};
	}

}

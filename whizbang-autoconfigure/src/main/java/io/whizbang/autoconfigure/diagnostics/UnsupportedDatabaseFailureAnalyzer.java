package io.whizbang.autoconfigure.diagnostics;

import io.whizbang.schema.UnsupportedDatabaseException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that the data source does not lead to a PostgreSQL that Whizbang can use.
 */
final class UnsupportedDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedDatabaseException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Point 'spring.datasource.url' to a supported PostgreSQL; tests may use whizbang-test or a container "
						+ "instead of an in-memory database. If the application has several data sources, mark the "
						+ "right one with @WhizbangDataSource. To start without Whizbang, set 'whizbang.enabled' to false.",
				cause);
	}

}

package io.whizbang.autoconfigure.diagnostics;

import io.whizbang.autoconfigure.DataSourceChoiceException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that there is no data source for Whizbang, or more than one.
 */
final class DataSourceChoiceFailureAnalyzer extends AbstractFailureAnalyzer<DataSourceChoiceException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DataSourceChoiceException cause) {
		String action = cause.candidates().isEmpty()
				? "Configure a PostgreSQL data source with 'spring.datasource.url' or define a bean of type DataSource. "
						+ "To start without Whizbang, set 'whizbang.enabled' to false."
				: "Mark the bean whose transactions enqueue messages with @WhizbangDataSource, or make it @Primary.";
		return new FailureAnalysis(cause.getMessage() + ".", action, cause);
	}

}

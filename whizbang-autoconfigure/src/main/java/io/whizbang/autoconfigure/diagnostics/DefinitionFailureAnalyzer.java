package io.whizbang.autoconfigure.diagnostics;

import io.whizbang.work.DefinitionException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that handlers, receptors, jobs, planners, perspectives or leased methods of
 * the application are not what they must be.
 */
final class DefinitionFailureAnalyzer extends AbstractFailureAnalyzer<DefinitionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DefinitionException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Correct what is named above. Nothing has been delivered, handled or run by this instance.", cause);
	}

}

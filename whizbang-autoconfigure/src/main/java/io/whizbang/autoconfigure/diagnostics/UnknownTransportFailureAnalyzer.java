package io.whizbang.autoconfigure.diagnostics;

import io.whizbang.outbox.UnknownTransportException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that a route leads nowhere.
 */
final class UnknownTransportFailureAnalyzer extends AbstractFailureAnalyzer<UnknownTransportException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnknownTransportException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Correct the name in 'whizbang.outbox.routes', define a Transport bean with that name, "
						+ "or add the starter of the broker that is meant.",
				cause);
	}

}

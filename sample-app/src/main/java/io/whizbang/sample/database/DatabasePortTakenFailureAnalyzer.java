package io.whizbang.sample.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says how to join the shop that has the port, or how to use another.
 */
class DatabasePortTakenFailureAnalyzer extends AbstractFailureAnalyzer<DatabasePortTakenException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DatabasePortTakenException cause) {
		StringBuilder action = new StringBuilder();
		if (cause.holder().isPostgres()) {
			action.append("Join that shop with%n%n    %s%n%n"
				.formatted(EmbeddedDatabase.joinArguments(EmbeddedDatabase.url(cause.port()))));
		}
		if (cause.holder().processId() != null) {
			action.append("or, when its shop was killed and left it behind, end it with%n%n    kill %s%n%n"
				.formatted(cause.holder().processId()));
		}
		action.append("%s let this shop use another port with%n%n    --shop.database.port=%d"
			.formatted(cause.holder().isPostgres() ? "or" : "Please", cause.port() + 1));
		return new FailureAnalysis(cause.getMessage(), action.toString(), cause);
	}

}

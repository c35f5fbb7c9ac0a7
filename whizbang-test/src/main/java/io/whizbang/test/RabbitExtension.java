package io.whizbang.test;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Skips what needs a RabbitMQ where there is none, and says so aloud.
 */
final class RabbitExtension implements ExecutionCondition, ParameterResolver {

	private static final Logger logger = LoggerFactory.getLogger(RabbitExtension.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (SharedRabbitServer.find() != null) {
			return ConditionEvaluationResult.enabled("RabbitMQ answers");
		}
		String reason = "No RabbitMQ: none at %s, none named by %s, and no container could be started"
			.formatted(RabbitServer.LOCAL, SharedRabbitServer.URL_VARIABLE);
		Assert.state(!SharedRabbitServer.isRequired(),
				() -> reason + "; " + SharedRabbitServer.REQUIRED_VARIABLE + " says that there must be one");
		if (context.getTestMethod().isEmpty()) {
			logger.warn("SKIPPED {}: {}", context.getDisplayName(), reason);
		}
		return ConditionEvaluationResult.disabled(reason);
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == RabbitServer.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		RabbitServer server = SharedRabbitServer.find();
		Assert.state(server != null, "RabbitMQ answered before this test and does not any more");
		return server;
	}

}

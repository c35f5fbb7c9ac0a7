package io.whizbang.autoconfigure;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Looks through the configured routes for the name of a transport.
 */
class OnRouteCondition extends SpringBootCondition {

	private static final String ROUTES = "whizbang.outbox.routes";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String transport = metadata.getAnnotations().get(ConditionalOnRoute.class).getString(MergedAnnotation.VALUE);
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnRoute.class, transport);
		Map<String, String> routes = Binder.get(context.getEnvironment())
			.bind(ROUTES, Bindable.mapOf(String.class, String.class))
			.orElse(Map.of());
		return routes.containsValue(transport) ? ConditionOutcome.match(message.found("route").items(transport))
				: ConditionOutcome.noMatch(message.because("no value of " + ROUTES + " is " + transport));
	}

}

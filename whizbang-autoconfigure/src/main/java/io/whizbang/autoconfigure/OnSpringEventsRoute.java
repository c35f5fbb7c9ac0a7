package io.whizbang.autoconfigure;

import java.util.Map;

import io.whizbang.transport.local.SpringEventTransport;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches when a route leads to the events of the application. A transport that is always
 * there would take every topic that nobody else takes.
 */
class OnSpringEventsRoute extends SpringBootCondition {

	private static final String ROUTES = "whizbang.outbox.routes";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Route to application events");
		BindResult<Map<String, String>> routes = Binder.get(context.getEnvironment())
			.bind(ROUTES, Bindable.mapOf(String.class, String.class));
		if (routes.isBound() && routes.get().containsValue(SpringEventTransport.NAME)) {
			return ConditionOutcome.match(message.found("route").items(SpringEventTransport.NAME));
		}
		return ConditionOutcome.noMatch(message.because("no value of " + ROUTES + " is " + SpringEventTransport.NAME));
	}

}

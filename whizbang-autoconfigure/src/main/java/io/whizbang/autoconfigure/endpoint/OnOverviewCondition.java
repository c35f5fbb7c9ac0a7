package io.whizbang.autoconfigure.endpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/**
 * Whether anybody can see the overview: through the endpoint, or on the dashboard.
 */
class OnOverviewCondition extends AnyNestedCondition {

	OnOverviewCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnAvailableEndpoint(endpoint = WhizbangEndpoint.class)
	static class Endpoint {

	}

	@ConditionalOnBooleanProperty(name = "whizbang.dashboard.enabled")
	static class Dashboard {

	}

}

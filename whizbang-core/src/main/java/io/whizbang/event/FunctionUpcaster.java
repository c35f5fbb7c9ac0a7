package io.whizbang.event;

import java.util.function.UnaryOperator;

import tools.jackson.databind.JsonNode;

/**
 * Upcaster made of a function.
 *
 * @param type name of the event type
 * @param fromVersion the version that it starts from
 * @param step what it does
 */
record FunctionUpcaster(String type, int fromVersion, UnaryOperator<JsonNode> step) implements Upcaster {

	@Override
	public JsonNode upcast(JsonNode payload) {
		return this.step.apply(payload);
	}

}

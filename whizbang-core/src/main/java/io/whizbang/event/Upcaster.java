package io.whizbang.event;

import java.util.function.UnaryOperator;

import tools.jackson.databind.JsonNode;

/**
 * Turns events of an old version of a type into the next version, whenever they are read.
 * What is stored stays as it was written.
 */
public interface Upcaster {

	/**
	 * Returns the name of the event type.
	 * @return the name
	 */
	String type();

	/**
	 * Returns the version that it starts from.
	 * @return the version; the result has the next one
	 */
	int fromVersion();

	/**
	 * Turns an event into the next version.
	 * @param payload the event as JSON, which may be changed and returned
	 * @return the event as its next version has it
	 */
	JsonNode upcast(JsonNode payload);

	/**
	 * Returns an upcaster.
	 * @param type name of the event type
	 * @param fromVersion the version that it starts from
	 * @param step what it does
	 * @return the upcaster
	 */
	static Upcaster of(String type, int fromVersion, UnaryOperator<JsonNode> step) {
		return new FunctionUpcaster(type, fromVersion, step);
	}

}

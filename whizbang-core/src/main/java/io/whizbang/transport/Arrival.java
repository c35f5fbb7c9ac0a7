package io.whizbang.transport;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that a broker delivers, as it came.
 *
 * @param source where it came from, such as {@code kafka:orders}; an identity is unique
 * within it
 * @param headers what travelled beside the payload
 * @param payload the payload, or {@code null} when there is none
 * @param defaults what holds when the headers do not say
 * @param place what helps to find it at the broker, by name
 */
public record Arrival(String source, Map<String, String> headers, byte @Nullable [] payload, EventDefaults defaults,
		Map<String, String> place) {

	public Arrival {
		headers = Map.copyOf(headers);
		place = Map.copyOf(place);
	}

}

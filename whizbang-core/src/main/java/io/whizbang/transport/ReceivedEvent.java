package io.whizbang.transport;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What was read from a broker.
 *
 * @param id identity as the sender wrote it, the same in every delivery
 * @param topic what it is about, for the application
 * @param type name of the payload's type, or {@code null} when the sender says none
 * @param stream ordering key, or {@code null}
 * @param headers what travels beside the payload
 * @param payload the payload, surely JSON
 */
public record ReceivedEvent(String id, String topic, @Nullable String type, @Nullable String stream,
		Map<String, String> headers, String payload) {

	public ReceivedEvent {
		headers = Map.copyOf(headers);
	}

}

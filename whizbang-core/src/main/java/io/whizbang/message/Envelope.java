package io.whizbang.message;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A message as it travels: what it says, and what is needed to deliver it.
 *
 * @param id identity, the same in every delivery
 * @param topic where it goes
 * @param type name of the payload's type; empty when its sender did not tell
 * @param stream ordering key, or {@code null} when order does not matter
 * @param headers what travels beside the payload
 * @param payload the payload as JSON
 * @param createdAt when it was enqueued, by the database's clock
 */
public record Envelope(MessageId id, String topic, String type, @Nullable StreamId stream, Map<String, String> headers,
		String payload, Instant createdAt) {

	public Envelope {
		headers = Map.copyOf(headers);
	}

	/**
	 * Returns the header's value.
	 * @param name the header's name
	 * @return the value, or {@code null} when it is absent
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

}

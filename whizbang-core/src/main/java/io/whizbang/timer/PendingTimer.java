package io.whizbang.timer;

import java.time.Instant;
import java.util.Map;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A timer that has not fired.
 *
 * @param id identity
 * @param key the name under which the application knows it, or {@code null}
 * @param topic where its message goes
 * @param type name of the payload's type
 * @param stream what the message is ordered by, or {@code null}
 * @param headers what travels beside the payload
 * @param payload the payload as JSON
 * @param due when it fires, by the database's clock
 * @param createdAt when it was scheduled, by the database's clock
 */
public record PendingTimer(TimerId id, @Nullable String key, String topic, String type, @Nullable StreamId stream,
		Map<String, String> headers, String payload, Instant due, Instant createdAt) {

	public PendingTimer {
		headers = Map.copyOf(headers);
	}

}

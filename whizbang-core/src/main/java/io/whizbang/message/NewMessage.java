package io.whizbang.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A message ready to be stored: its payload is JSON already.
 *
 * @param id identity
 * @param topic where it goes
 * @param type name of the payload's type
 * @param stream ordering key, or {@code null}
 * @param headers what travels beside the payload
 * @param payload the payload as JSON
 * @param delay how long it waits from the moment it is stored, by the database's clock,
 * or {@code null}
 * @param notBefore when it may be delivered at the earliest, or {@code null}
 */
public record NewMessage(MessageId id, String topic, String type, @Nullable StreamId stream,
		Map<String, String> headers, String payload, @Nullable Duration delay, @Nullable Instant notBefore) {

	public NewMessage {
		headers = Map.copyOf(headers);
	}

	/**
	 * Returns the number that decides the partition. Messages without a stream spread by
	 * their own identity.
	 * @return the number, stable for a stream
	 */
	public int partitionHash() {
		return StreamId.partitionHash((this.stream != null) ? this.stream.value() : this.id.value());
	}

}

package io.whizbang.event;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An event as the database has it.
 *
 * @param position place among all events
 * @param streamId the stream
 * @param streamKey the stream's key, or {@code null} when it is the identity itself or
 * known to the reader
 * @param version place in the stream
 * @param id identity
 * @param type name and version of its type
 * @param metadata the metadata as JSON
 * @param payload the payload as JSON
 * @param recordedAt when it was appended
 */
public record RawEvent(long position, UUID streamId, @Nullable String streamKey, long version, UUID id,
		EventTypeName type, String metadata, String payload, Instant recordedAt) {

}

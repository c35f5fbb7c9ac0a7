package io.whizbang.event;

import java.time.Instant;

import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;

/**
 * An event as it was appended, in the form that its type has today.
 *
 * @param position place among all events
 * @param stream the stream
 * @param version place in the stream, from 1
 * @param id identity
 * @param type name of its type
 * @param typeVersion version of the type that it was written with
 * @param payload what happened
 * @param metadata what is known beside it
 * @param recordedAt when it was appended, by the database's clock
 */
public record StoredEvent(long position, StreamId stream, long version, MessageId id, String type, int typeVersion,
		Object payload, EventMetadata metadata, Instant recordedAt) {

}

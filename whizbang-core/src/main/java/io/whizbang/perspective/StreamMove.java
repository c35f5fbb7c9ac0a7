package io.whizbang.perspective;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A checkpoint that moves.
 *
 * @param stream the stream
 * @param found the version that it must have now, or {@code null} when there must be none
 * @param version the version that it gets
 * @param position position of that event
 * @param eventId identity of that event
 */
record StreamMove(UUID stream, @Nullable Long found, long version, long position, UUID eventId) {

}
